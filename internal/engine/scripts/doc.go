// Package scripts finds the script that answers a request of an application, and checks that its
// answer is one that a provider could have given to the request.
//
//	set := scripts.New(scenarios, false, profile, secret)
//	found, err := set.Choose(ask, func(scripts.Candidate) bool { return true })
//	turn, err := found.Script.Answer(found.Step, ask)
//	turn, err = scripts.Possible(turn, found.Script, found.Step, ask.Request, profile, schemas.Check)
//
// All is found from the request alone, and so any number of servers give the same answers.
package scripts
