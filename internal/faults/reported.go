package faults

// reported are loops that break several rules at once, as they were reported.
var reported = []Fault{}
