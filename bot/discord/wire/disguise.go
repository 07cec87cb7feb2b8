package wire

// disguise changes the names of events on their way to discordgo, so that it does not know them and leaves them alone: it
// would decode each into types of its own, which costs time, and follow what is null in them into a panic that nobody can
// catch. Only READY and RESUMED keep their names, from which it learns its session. The handlers make names whole again.
//
// It works on the bytes of the connection as they arrive, one by one, and changes no lengths: the first letter of a name
// becomes a small one.
type disguise struct {
	crlf    int    // how much of the blank line that ends the HTTP answer has been seen; 4: all
	header  []byte // of a frame, so far
	left    int    // bytes of the frame's body that have not come yet
	control bool   // the frame is no part of a message

	depth   int // of maps and lists
	text    bool
	escaped bool
	length  int  // of the text so far
	lead    byte // its first letter
	odd     bool // it holds what nobody writes but to hide something
	value   bool // after a colon of the outermost map
	isName  bool // that value is the event's name
}

// blank is the end of an HTTP answer's head.
const blank = "\r\n\r\n"

// cover changes the names in what has arrived.
func (d *disguise) cover(b []byte) {
	for i := range b {
		switch {
		case d.crlf < len(blank):
			d.head(b[i])
		case d.left == 0:
			d.frame(b[i])
		default:
			d.left--
			if !d.control {
				b[i] = d.letter(b[i])
			}
		}
	}
}

func (d *disguise) head(c byte) {
	switch c {
	case blank[d.crlf]:
		d.crlf++
	case '\r':
		d.crlf = 1
	default:
		d.crlf = 0
	}
}

// frame takes a byte of a frame's header.
func (d *disguise) frame(c byte) {
	d.header = append(d.header, c)
	first, header, size, ok := frameHeader(d.header)
	if !ok || len(d.header) < header {
		return
	}
	const begins, isControl = 0x0f, 0x08
	d.control = first&isControl != 0
	if first&begins != 0 && !d.control { // not the continuation of a message
		*d = disguise{crlf: d.crlf, header: d.header}
	}
	d.header, d.left = d.header[:0], size
}

// letter takes a byte of a message and gives what is to stand there.
func (d *disguise) letter(c byte) byte {
	if d.text {
		return d.inText(c)
	}
	switch c {
	case '"':
		d.text, d.length, d.odd = true, 0, false
	case '{', '[':
		d.depth++
	case '}', ']':
		d.depth--
	case ':':
		d.value = d.value || d.depth == 1
	case ',':
		if d.depth == 1 {
			d.value, d.isName = false, false
		}
	}
	return c
}

func (d *disguise) inText(c byte) byte {
	switch {
	case d.escaped:
		d.escaped = false
	case c == '\\':
		d.escaped, d.odd = true, true
	case c == '"':
		d.text = false
		if d.depth == 1 && !d.value {
			d.isName = d.odd || d.length == 1 && d.lead|0x20 == 't'
		}
		return c
	}
	d.length++
	if d.length > 1 {
		return c
	}
	d.lead = c
	if d.value && d.depth == 1 && d.isName && c != 'R' {
		d.escaped = false // no backslash stays one
		return c | 0x20
	}
	return c
}
