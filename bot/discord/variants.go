package discord

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kraal/bot/discord/words"
	"kraal/rules"
)

// otherNames are what else the games are called, so that whoever looks for one finds it.
func otherNames() map[string][]string {
	return map[string][]string{
		"nine":       {"Mill", "Mills", "Merels", "Merrills", "Mühle", "Muehle", "Mulino", "Morris", "Nine"},
		"thinhama":   {"Mills", "Tinhama", "Nine"},
		"mhele":      {"Mhele", "Umhele", "Twelve", "Muravarava"},
		"morabaraba": {"Morabaraba", "Umlabalaba", "Mlabalaba", "Twelve Men's Morris", "Cows", "Traditional"},
		"koti":       {"Koti", "Morabaraba", "Twelve Men's Morris"},
		"tournament": {"Tournament", "Classic", "South African", "Generally Accepted Rules", "Morabaraba", "Twelve Men's Morris"},
	}
}

// VariantError is a text that names no variant.
type VariantError struct {
	Typed   string
	Offered []rules.Variant // what there is
}

func (e *VariantError) Error() string { return fmt.Sprintf("no variant %q", e.Typed) }

// variants lists what can be played where the request was made.
func (r *request) variants(ctx context.Context) ([]rules.Variant, error) {
	s, err := r.house(ctx)
	return r.app.Variants(s), err
}

// variantOption is the variant that was chosen or typed: its key, or any of its names if no other game has it. Where none
// was, it is the server's.
func (r *request) variantOption(ctx context.Context) (rules.Variant, error) {
	s, err := r.house(ctx)
	if err != nil {
		return rules.Variant{}, err
	}
	typed, ok := r.in.Text("variant")
	if !ok || strings.TrimSpace(typed) == "" {
		return r.defaultGame(s), nil
	}
	if v, ok := r.app.Variant(s, strings.ToLower(strings.TrimSpace(typed))); ok {
		return v, nil
	}
	offered := r.app.Variants(s)
	if found := r.matchVariants(offered, typed, strings.EqualFold); len(found) == 1 {
		return found[0], nil
	}
	return rules.Variant{}, &VariantError{Typed: words.Plain(typed), Offered: offered}
}

// matchVariants lists those of the variants one of whose names matches.
func (r *request) matchVariants(of []rules.Variant, typed string, like func(name, typed string) bool) (found []rules.Variant) {
	typed = strings.TrimSpace(typed)
	for _, v := range of {
		names := append([]string{v.Key, v.Name, plainVariantName(v, r.phrases)}, otherNames()[v.Key]...)
		if slices.ContainsFunc(names, func(name string) bool { return like(name, typed) }) {
			found = append(found, v)
		}
	}
	return found
}

// contains tells whether a name holds what was typed so far, whatever the case.
func contains(name, typed string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(typed))
}
