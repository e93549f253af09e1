package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
)

var prefixForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`) })

// profileRoutes finds the profiles that are to be played for some requests, which are named as in
// deepseek@/deepseek or deepseek@model:deepseek-*, and returns the names of the others.
func profileRoutes(known profiles.Known, named []string) (names []string, routes []engine.Route, err error) {
	for _, one := range named {
		name, which, has := strings.Cut(one, "@")
		if !has {
			names = append(names, one)
			continue
		}
		route := engine.Route{}
		if route.Profile, err = known.Find(name); err != nil {
			return nil, nil, err
		}
		if route.Prefix, route.Models, err = routeOf(name, which); err != nil {
			return nil, nil, fmt.Errorf("--profile %s: %w", one, err)
		}
		for _, other := range routes {
			if other.Prefix == route.Prefix && other.Models == route.Models && other.Profile.Dialect == route.Profile.Dialect {
				return nil, nil, fmt.Errorf("the profiles %s and %s have the same dialect and are played for the same requests, %s: choose others", other.Profile.Name, name, which)
			}
		}
		routes = append(routes, route)
	}
	return names, routes, nil
}

// routeOf reads for which requests a profile is played.
func routeOf(name, which string) (prefix, models string, err error) {
	if models, is := strings.CutPrefix(which, "model:"); is {
		if _, err := path.Match(models, ""); err != nil || models == "" {
			return "", "", fmt.Errorf("%q is no pattern of models, such as %s-*", models, name)
		}
		return "", models, nil
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(which, "/"), "/")
	if !prefixForm().MatchString(which) || first == "run" || first == "loopproof" {
		return "", "", fmt.Errorf("after @ stands the beginning of a path such as /%[1]s, and neither /run nor /loopproof, which have a meaning of their own, or the models, as in model:%[1]s-*", name)
	}
	return which, "", nil
}

// namesRouted returns the names of the profiles that are played below prefixes, by these, and of
// those that are played for models, by their patterns.
func (v *service) namesRouted() (below, models map[string][]string) {
	below, models = map[string][]string{}, map[string][]string{}
	for _, r := range v.routes {
		if r.Prefix != "" {
			below[r.Prefix] = append(below[r.Prefix], r.Profile.Name)
		} else {
			models[r.Models] = append(models[r.Models], r.Profile.Name)
		}
	}
	return below, models
}
