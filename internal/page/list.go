package page

import (
	"fmt"
	"time"
)

// Runs is the page of all conversations.
type Runs struct {
	Live
	Addresses []Address
	Exercises []Exercise // the steps of scripts that have a title
	Filter    Filter
	Totals    Totals
	Rows      []Row
	Shown     int // conversations that fit the filter
	More      int // of them: not listed
	AllURL    string
	Unrouted  []Unrouted
}

// Empty reports whether nothing was asked, so that there is nothing to choose from.
func (r Runs) Empty() bool { return r.Totals.Conversations == 0 && len(r.Rows) == 0 && !r.Filter.Set() }

// Exercise is a step of a script that has a title, and what clients did after it.
type Exercise struct {
	Title  string
	Script string // of which it is a step; "": it is the start of each conversation
	Played int    // times
	After  int    // requests that came after it
	Last   bool   // nothing has to come after it
	Sum    Sum    // what is wrong with these
}

// Done reports whether it is known what the client does after it.
func (e Exercise) Done() bool { return e.After > 0 || e.Last && e.Played > 0 }

// Verdict says in a sentence what came of all exercises.
func (r Runs) Verdict() string {
	var all Sum
	done, open := 0, 0
	for _, e := range r.Exercises {
		all = all.Plus(e.Sum)
		switch {
		case e.Done():
			done++
		case e.Played > 0:
			open++
		}
	}
	text := fmt.Sprintf("%d of %d were played", done+open, len(r.Exercises))
	if open > 0 {
		text += fmt.Sprintf(", after %d of them nothing came yet", open)
	}
	switch {
	case done == 0:
		return text + "."
	case all.Broken():
		return text + fmt.Sprintf("; findings: %d must, %d should, %d unanswered.", all.Must, all.Should, all.Problems)
	default:
		return text + "; no rule is broken by what was sent."
	}
}

// Address is what the SDK of a dialect takes as its base URL.
type Address struct {
	Variable string // of the environment
	URL      string
	Profile  string // that answers there; "": none does
	Dialect  string
	Example  string // of a profile that would
}

// Filter is what the list is limited to, as its form has it.
type Filter struct {
	Query string // a text in anything that is said
	Only  string // "", broken or errors
	Run   string // "" is all
	Flat  bool   // not grouped by run
	All   bool   // however many
}

// Set reports whether the list is limited.
func (f Filter) Set() bool { return f.Query != "" || f.Only != "" || f.Run != "" }

// Totals count what there is, whatever the filter.
type Totals struct {
	Runs, Conversations, Requests int
	Broken                        int // conversations in which a rule was broken, or nothing could be answered
	Errors                        int // conversations of which the last answer is an error
}

// Row is a conversation in the list, or the head of a group of them.
type Row struct {
	Key, Version string // for what is live: another version is shown again
	Group        *Group // it is the head of this group, and no conversation

	URL      string // "" while nothing was asked
	Title    string // what the user said first
	Scenario string
	Note     string // why the last answer is an error
	Run      string
	Model    string
	Profile  string
	Requests int
	Statuses []Status
	Sum      Sum
	At       time.Time
	Took     string
	Open     bool // an answer is being given
}

// Failing reports whether the last answer is an error.
func (r Row) Failing() bool { return failing(r.Statuses) }

func failing(all []Status) bool { return len(all) > 0 && all[len(all)-1].Failed() }

// Group is a run with its conversations.
type Group struct {
	Run           string
	URL           string // of the list of this run alone
	Conversations int
	Requests      int
	Broken        int
}

// Status is what requests in a row were answered.
type Status struct {
	Code  int // 0: nothing
	Times int
	Cut   bool // the answer breaks off
}

// Failed reports whether it is no whole answer of a model.
func (s Status) Failed() bool { return s.Code == 0 || s.Code >= 400 || s.Cut }

// Unrouted is a request that reached no conversation.
type Unrouted struct {
	Request
	Status int
}
