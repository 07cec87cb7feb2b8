package discord

import (
	"fmt"
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
type VariantError struct{ Typed string }

func (e *VariantError) Error() string { return fmt.Sprintf("no variant %q", e.Typed) }

// variantOption is the variant that was chosen or typed: its key, or any of its names if no other game has it.
func (r *request) variantOption(fallback string) (rules.Variant, error) {
	typed, ok := r.in.Text("variant")
	if !ok || strings.TrimSpace(typed) == "" {
		typed = fallback
	}
	if v, ok := rules.Lookup(strings.ToLower(strings.TrimSpace(typed))); ok {
		return v, nil
	}
	if found := r.matchVariants(typed, strings.EqualFold); len(found) == 1 {
		return found[0], nil
	}
	return rules.Variant{}, &VariantError{Typed: words.Plain(typed)}
}

// matchVariants lists the variants one of whose names matches.
func (r *request) matchVariants(typed string, like func(name, typed string) bool) (found []rules.Variant) {
	typed = strings.TrimSpace(typed)
	for _, v := range rules.Variants() {
		names := append([]string{v.Key, v.Name, variantName(v, r.phrases)}, otherNames()[v.Key]...)
		for _, name := range names {
			if like(name, typed) {
				found = append(found, v)
				break
			}
		}
	}
	return found
}

// contains tells whether a name holds what was typed so far, whatever the case.
func contains(name, typed string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(typed))
}
