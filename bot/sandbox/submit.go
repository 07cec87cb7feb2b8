package sandbox

import (
	"context"
	"slices"
	"unicode/utf8"
)

// Fields of forms that messages do not have (components/reference).
const (
	typeUpload     = 19
	typeRadio      = 21
	typeCheckboxes = 22
	typeCheckbox   = 23
)

// Submit sends the form that an interaction was answered with: to each field's custom id a text, the values that are
// chosen, or whether it is ticked. What is left out stays as the form shows it. A form that failed can be sent again.
func (a *Actor) Submit(ctx context.Context, opener string, fields map[string]any) (*Reply, error) {
	reply, err := a.do(ctx, func() (*interaction, error) { return a.submit(opener, fields) })
	if err == nil && !reply.Failed {
		a.s.mu.Lock()
		defer a.s.mu.Unlock()
		reply.in.opener.form = nil
	}
	return reply, err
}

// submit is a form as the app sends it.
func (a *Actor) submit(id string, fields map[string]any) (*interaction, error) {
	opener := a.s.interactions[id]
	if opener == nil || opener.by != a.id || opener.form == nil {
		return nil, cannot("there is no form before them")
	}
	ch, err := a.place(opener.channel)
	if err != nil {
		return nil, err
	}
	in, err := a.event(interactionForm, ch)
	if err != nil {
		return nil, err
	}
	in.label, in.source, in.opener = opener.label, opener.source, opener
	named := a.resolution(ch)
	components, err := opener.form.filled(fields, named)
	if err != nil {
		return nil, err
	}
	data := object{"custom_id": opener.form.CustomID, "components": components}
	if len(named.all) > 0 {
		data["resolved"] = named.all
	}
	in.payload["data"] = data
	if in.source != nil {
		in.payload["message"] = a.s.messageJSON(in.source)
	}
	return in, nil
}

// filled are a form's parts as they are sent: each has a number, and a field what it was filled with.
func (f *form) filled(given map[string]any, named *resolution) ([]object, error) {
	for id := range given {
		if !slices.ContainsFunc(f.parts, func(c modalComponent) bool { return c.field() != nil && c.field().CustomID == id }) {
			return nil, cannot("the form has no field %q", id)
		}
	}
	last := 0
	numbered := func(c modalComponent) object {
		last++
		if c.ID == 0 {
			c.ID = last
		}
		return object{"type": c.Type, "id": c.ID}
	}
	made := []object{}
	for _, part := range f.parts {
		o := numbered(part)
		if field := part.field(); field != nil {
			inner := numbered(*field)
			inner["custom_id"] = field.CustomID
			if err := field.fill(inner, given[field.CustomID], named); err != nil {
				return nil, err
			}
			if part.Type == typeRow {
				o["components"] = []object{inner}
			} else {
				o["component"] = inner
			}
		}
		made = append(made, o)
	}
	return made, nil
}

// field is what a part of a form holds; nil of a text to read.
func (c modalComponent) field() *modalComponent {
	switch c.Type {
	case typeRow:
		return &c.Components[0]
	case typeLabel:
		return c.Component
	}
	return nil
}

// must tells whether a field has to be filled: it has unless the form says otherwise.
func (c modalComponent) must() bool { return c.Required == nil || *c.Required }

// fill puts into a field what a person gave it; nil is nothing.
func (c modalComponent) fill(o object, given any, named *resolution) error {
	switch c.Type {
	case typeTextInput:
		text, ok := given.(string)
		if given == nil {
			text, ok = c.Value, true
		}
		o["value"] = text
		return c.takesText(text, ok)
	case typeCheckbox:
		ticked, ok := given.(bool)
		o["value"] = ticked
		if given != nil && !ok {
			return cannot("%q is ticked or not", c.CustomID)
		}
		return nil
	}
	values, err := c.chosen(given)
	if err != nil {
		return err
	}
	o["values"] = values
	if c.Type == typeRadio {
		delete(o, "values")
		o["value"] = nil
		if len(values) > 0 {
			o["value"] = values[0]
		}
	}
	return named.menu(c.Type, values)
}

// takesText holds a text to its field's length.
func (c modalComponent) takesText(text string, ok bool) error {
	most := maxFieldLength
	if c.MaxLength != nil {
		most = *c.MaxLength
	}
	n := utf8.RuneCountInString(text)
	switch {
	case !ok:
		return cannot("%q takes a text", c.CustomID)
	case n == 0 && !c.must():
		return nil
	case n < max(c.MinLength, 1) || n > most:
		return cannot("a text of %d does not fit %q", n, c.CustomID)
	}
	return nil
}

// chosen are the values of a field that offers some, held to what it offers.
func (c modalComponent) chosen(given any) ([]string, error) {
	values := []string{}
	switch v := given.(type) {
	case nil:
		for _, o := range c.Options {
			if o.Default {
				values = append(values, o.Value)
			}
		}
	case string:
		values = append(values, v)
	case []string:
		values = append(values, v...)
	case []any:
		for _, one := range v {
			text, _ := one.(string)
			values = append(values, text)
		}
	default:
		return nil, cannot("%q takes values, not a %T", c.CustomID, given)
	}
	switch {
	case len(values) == 0 && !c.must():
		return values, nil
	case c.Type == typeUpload:
		return nil, cannot("there are no files here for %q", c.CustomID)
	}
	return values, c.control().takes(values)
}

// control is a field that offers values, as a menu of a message would be.
func (c modalComponent) control() Control {
	menu := Control{Type: c.Type, MinValues: 1, MaxValues: 1}
	if c.MinValues != nil {
		menu.MinValues = *c.MinValues
	}
	switch {
	case c.MaxValues != nil:
		menu.MaxValues = *c.MaxValues
	case c.Type == typeCheckboxes:
		menu.MaxValues = len(c.Options)
	}
	if c.Type == typeRadio || c.Type == typeCheckboxes {
		menu.Type = typeTextMenu
	}
	for _, o := range c.Options {
		menu.Options = append(menu.Options, Option(o))
	}
	return menu
}
