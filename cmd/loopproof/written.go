package main

import "slices"

// writtenScenarios are those that a command wrote into a folder, in the order in which they began.
type writtenScenarios struct {
	order []string
	known map[string]*writtenScenario
}

// writtenScenario is what a command tells of a scenario that it wrote.
type writtenScenario struct {
	steps    int
	profiles []string        // under which it is played
	told     map[string]bool // the rules that it was said to break
}

// named returns the scenario of a name, which is listed from then on.
func (w *writtenScenarios) named(name string) *writtenScenario {
	if known := w.known[name]; known != nil {
		return known
	}
	if w.known == nil {
		w.known = map[string]*writtenScenario{}
	}
	w.order = append(w.order, name)
	w.known[name] = &writtenScenario{told: map[string]bool{}}
	return w.known[name]
}

// drop forgets a scenario that is not kept.
func (w *writtenScenarios) drop(name string) {
	delete(w.known, name)
	w.order = slices.DeleteFunc(w.order, func(known string) bool { return known == name })
}

// profiles returns those under which the scenarios are played.
func (w *writtenScenarios) profiles() []string {
	var all []string
	for _, name := range w.order {
		for _, profile := range w.known[name].profiles {
			if !slices.Contains(all, profile) {
				all = append(all, profile)
			}
		}
	}
	return all
}
