// Package rules is the rulebook: what a loop owes the provider, its tools and its caller. A rule is a value with an
// id, a level, a sentence, sources, and a check, which is a pure function over a finished [Run] or over one request.
//
//	for _, j := range rules.Judge(run, claims) {
//		fmt.Println(j.Rule.ID, j.Verdict)
//		for _, f := range j.Findings {
//			fmt.Println("  request", f.Request, f.Pointer, f.Message)
//		}
//	}
//
// The files are named after the areas of the rulebook. A check says whether it saw anything to judge: without
// evidence a rule is untested, never passed.
package rules
