package main

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
)

var prefixForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`) })

// profilesBelow finds the profiles that are to be played below a prefix, which are named as in
// deepseek@/deepseek, and returns the names of the others.
func profilesBelow(known profiles.Known, named []string) (names []string, below []engine.Below, err error) {
	for _, one := range named {
		name, prefix, has := strings.Cut(one, "@")
		if !has {
			names = append(names, one)
			continue
		}
		p, err := known.Find(name)
		if err != nil {
			return nil, nil, err
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(prefix, "/"), "/")
		if !prefixForm().MatchString(prefix) || first == "run" || first == "loopproof" {
			return nil, nil, fmt.Errorf("--profile %s: a prefix is the beginning of a path such as /%s, and neither /run nor /loopproof, which have a meaning of their own", one, name)
		}
		for _, other := range below {
			if other.Prefix == prefix && other.Profile.Dialect == p.Dialect {
				return nil, nil, fmt.Errorf("the profiles %s and %s have the same dialect and the same prefix, %s: choose another one", other.Profile.Name, p.Name, prefix)
			}
		}
		below = append(below, engine.Below{Prefix: prefix, Profile: p})
	}
	return names, below, nil
}

// namesBelow returns the names of the profiles that are played below prefixes, by these.
func (v *service) namesBelow() map[string][]string {
	all := map[string][]string{}
	for _, b := range v.below {
		all[b.Prefix] = append(all[b.Prefix], b.Profile.Name)
	}
	return all
}
