package sandbox

import (
	"encoding/json"
	"strings"
)

// echo is what Discord makes of components and embeds when it shows them: every component gets a number, what was left out
// gets its default, and pictures get addresses (components/reference).
type echo struct {
	attachments []Attachment
	last        int
}

// components gives the shown form of components.
func (e *echo) components(raw []json.RawMessage) []any {
	shown := []any{}
	for _, one := range raw {
		var c any
		if json.Unmarshal(one, &c) == nil {
			shown = append(shown, e.component(c))
		}
	}
	return shown
}

// defaultsOf are the fields that a component always shows.
func defaultsOf(kind int) object {
	switch {
	case kind == typeTextMenu || kind > typeTextInput && kind <= typeChannelMenu:
		return object{"min_values": 1, "max_values": 1}
	case kind == typeThumbnail:
		return object{"description": nil, "spoiler": false}
	case kind == typeFile:
		return object{"spoiler": false, "name": "", "size": 0}
	case kind == typeSeparator:
		return object{"divider": true, "spacing": 1}
	case kind == typeContainer:
		return object{"accent_color": nil, "spoiler": false}
	}
	return nil
}

func (e *echo) component(shown any) any {
	c, ok := shown.(object)
	if !ok {
		return shown
	}
	prune(c)
	kind, _ := c["type"].(float64)
	if n, ok := c["id"].(float64); !ok || n == 0 {
		e.last++
		c["id"] = e.last
	}
	fill(c, defaultsOf(int(kind)))
	if inner, ok := c["components"].([]any); ok {
		for i := range inner {
			inner[i] = e.component(inner[i])
		}
	}
	if inner, ok := c["accessory"]; ok {
		c["accessory"] = e.component(inner)
	}
	items, _ := c["items"].([]any)
	for _, item := range items {
		if o, ok := item.(object); ok {
			fill(o, object{"description": nil, "spoiler": false})
			e.media(o["media"])
		}
	}
	e.media(c["media"])
	if a := e.media(c["file"]); a != nil {
		c["name"], c["size"] = a.Filename, len(a.Data)
	}
	return c
}

// media gives a picture or file its address, and the attachment that it is, if it is one.
func (e *echo) media(shown any) *Attachment {
	o, ok := shown.(object)
	if !ok {
		return nil
	}
	address, _ := o["url"].(string)
	var found *Attachment
	if name, ok := strings.CutPrefix(address, fileAddress); ok {
		for i := range e.attachments {
			if e.attachments[i].Filename == name {
				found = &e.attachments[i]
			}
		}
	}
	o["id"] = "1"
	if found != nil {
		o["id"], o["url"], o["attachment_id"], o["content_type"] = found.ID, found.URL, found.ID, found.kind()
	}
	o["proxy_url"] = o["url"]
	return found
}

// embeds gives the shown form of embeds.
func (e *echo) embeds(raw []json.RawMessage) []any {
	shown := []any{}
	for _, one := range raw {
		var o object
		if json.Unmarshal(one, &o) != nil || o == nil {
			continue
		}
		prune(o)
		fill(o, object{"type": "rich"})
		for _, picture := range []string{"image", "thumbnail"} {
			e.media(o[picture])
			if p, ok := o[picture].(object); ok {
				delete(p, "id")
			}
		}
		fields, _ := o["fields"].([]any)
		for _, f := range fields {
			if f, ok := f.(object); ok {
				fill(f, object{"inline": false})
			}
		}
		shown = append(shown, o)
	}
	return shown
}

// fill sets the fields that are not there.
func fill(o, defaults object) {
	for field, value := range defaults {
		if _, ok := o[field]; !ok {
			o[field] = value
		}
	}
}

// prune takes away the fields that are null.
func prune(o object) {
	for field, value := range o {
		if value == nil {
			delete(o, field)
		}
	}
}
