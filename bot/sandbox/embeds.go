package sandbox

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// embed is what of an embed is limited.
type embed struct {
	Title, Description string
	Footer             struct{ Text string }
	Author             struct{ Name string }
	Fields             []struct{ Name, Value string }
}

// maxFields is how many fields an embed has.
const maxFields = 25

// checkEmbeds holds embeds to their limits (resources/message, Embed Limits), one by one and all together.
func checkEmbeds(raw []json.RawMessage) error {
	if len(raw) > maxEmbeds {
		return invalid("embeds", "Must be %d or fewer in length.", maxEmbeds)
	}
	sum := 0
	for i, one := range raw {
		path := "embeds." + strconv.Itoa(i)
		var e embed
		if err := json.Unmarshal(one, &e); err != nil {
			return invalid(path, "%v", err)
		}
		if len(e.Fields) > maxFields {
			return invalid(path+".fields", "Must be %d or fewer in length.", maxFields)
		}
		for _, t := range e.texts() {
			n := utf8.RuneCountInString(t.text)
			if n > t.most {
				return invalid(path+"."+t.field, "Must be %d or fewer in length.", t.most)
			}
			sum += n
		}
	}
	if sum > maxEmbedSum {
		return invalid("embeds", "Embed size exceeds maximum size of %d", maxEmbedSum)
	}
	return nil
}

type limitedText struct {
	field, text string
	most        int
}

func (e embed) texts() []limitedText {
	all := []limitedText{
		{"title", e.Title, 256}, {"description", e.Description, 4096},
		{"footer.text", e.Footer.Text, 2048}, {"author.name", e.Author.Name, 256},
	}
	for i, f := range e.Fields {
		at := "fields." + strconv.Itoa(i)
		all = append(all, limitedText{at + ".name", f.Name, 256}, limitedText{at + ".value", f.Value, 1024})
	}
	return all
}
