// Package rules is what all rules share: the type of a rule, the run that it judges, and how calls,
// results, returned turns and texts are matched. A rule is a value with an id, a level, a sentence,
// sources, and a check, which is a pure function over a finished [Run] or over one request. A check
// reports whether there was evidence: without evidence a rule is untested, never passed.
//
// The rules of an area are in the package of its name below this one, those about one dialect alone
// in a package alongside the dialect, such as messagesrules, and package rulebook puts them
// together.
package rules
