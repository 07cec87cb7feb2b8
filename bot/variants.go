package bot

import (
	"kraal/rules"
	"kraal/storage"
)

// Variants lists what can be played in a server: the six, those that whoever runs the bot offers everywhere, then the
// server's own. A server's own never hides one of the others.
func (a *App) Variants(server storage.Server) []rules.Variant {
	offered := append(rules.Variants(), a.Offers...)
	for _, h := range server.House {
		if _, taken := find(offered, h.Key); !taken {
			offered = append(offered, h.Variant)
		}
	}
	return offered
}

// Variant finds what can be played in a server by its key.
func (a *App) Variant(server storage.Server, key string) (rules.Variant, bool) {
	return find(a.Variants(server), key)
}

func find(variants []rules.Variant, key string) (rules.Variant, bool) {
	for _, v := range variants {
		if v.Key == key {
			return v, true
		}
	}
	return rules.Variant{}, false
}
