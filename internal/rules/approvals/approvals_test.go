package approvals_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/protocol"
)

const deleting = `
needs: [tool-approvals, approval-edits, parallel-calls]
prompt: Make room.
tools:
  free_space:
    parameters: {}
    results: [{text: 250 MB}]
  delete_file:
    parameters: {path: string}
    needs-approval: true
    results: [{text: Deleted.}]
model:
`

var (
	// approved has two calls one after the other, each of which the user approves.
	approved = Scene(deleting + `
  - calls: [{as: old, tool: delete_file, arguments: '{"path":"old"}'}]
  - calls: [{as: new, tool: delete_file, arguments: '{"path":"new"}'}]
  - text: Done.
`)
	// denied has a call that needs no approval, and two that the user denies, the second without a
	// reason.
	denied = Scene(deleting + `
  - calls:
      - {as: space, tool: free_space, arguments: '{}'}
      - {as: old, tool: delete_file, arguments: '{"path":"old"}', denied: I need it.}
      - {as: new, tool: delete_file, arguments: '{"path":"new"}', denied: ''}
  - text: Nothing is deleted.
`)
	// twins has two equal calls, of which the user denies the first.
	twins = Scene(deleting + `
  - calls:
      - {as: old, tool: delete_file, arguments: '{"path":"old"}', denied: Once.}
      - {as: again, tool: delete_file, arguments: '{"path":"old"}'}
  - text: It is deleted.
`)
	// twice has the same call in two turns, the second of which a loop with a cache does not run.
	twice = Scene(deleting + `
  - calls: [{as: old, tool: delete_file, arguments: '{"path":"old"}'}]
  - calls: [{as: again, tool: delete_file, arguments: '{"path":"old"}'}]
  - text: Done.
`).Of(protocol.CachedResults)
	// twiceDenied is the same where the user denies the second one.
	twiceDenied = Scene(deleting + `
  - calls: [{as: old, tool: delete_file, arguments: '{"path":"old"}'}]
  - calls: [{as: again, tool: delete_file, arguments: '{"path":"old"}', denied: Once.}]
  - text: Done.
`).Of(protocol.CachedResults)
	// edited has a call that the user approves with other arguments.
	edited = Scene(deleting + `
  - calls: [{as: old, tool: delete_file, arguments: '{"path":"old"}', approved-with: '{"path":"older"}'}]
  - text: Done.
`)
	// pending has a call about which the user decides nothing before the next prompt.
	pending = Scene(`
needs: [tool-approvals, cancel, multi-prompt]
prompts: [Make room., How much is there?]
tools:
  delete_file:
    parameters: {path: string}
    needs-approval: true
    results: [{text: Deleted.}]
model:
  - calls: [{as: old, tool: delete_file, arguments: '{"path":"old"}'}]
    cancel: {during: approval, scope: prompt}
  - text: 250 MB.
`)
)

// results ends a run of the scene denied, with these results for the denied calls.
func results(old, new string) string {
	return `
		asks
		asked old
		asked new
		runs space
		asks on
			calls space, old, new
			result space
			{"role":"tool","tool_call_id":"{{old}}","content":"` + old + `"}
			{"role":"tool","tool_call_id":"{{new}}","content":"` + new + `"}
		completed`
}

// fromCache is a loop that asks about two equal calls, and runs the first of them.
const fromCache = `
	asks
	asked old
	runs old
	asks on
		calls old
		result old
	asked again
	asks on
		calls again
		result again
	completed`

const told = "The user did not allow it: I need it."

var coreCases = Cases{
	"approvals/run-after-approval": {
		Holds("asked, then run", approved, "asks\nasked old\nruns old\nasks on\n\tcalls old\n\tresult old\nasked new\nruns new"),
		Holds("without ids", approved, "asks\nasked old\nruns old as -"),
		Holds("asked twice", approved, "asks\nasked old in vain\nasked old\nruns old"),
		Holds("the second result is of the cache", twice, fromCache),
		SeesNothing("nothing was run", approved, "asks\nasked old\nstopped: tired"),
		SeesNothing("denied and run is for denied-not-run", denied, "asks\nasked old\nruns old"),
		SeesNothing("a tool that needs none", denied, "asks\nruns space"),
		Breaks("not asked", approved, "asks\nruns old",
			Found(1, "", "the call old was run without an approval", "no run before the user has approved it", `delete_file run with "{\"path\":\"old\"}", and the user was not asked`)),
		Breaks("not asked about a call that the user would have denied", denied, "asks\nruns old",
			Found(1, "", "the call old was run without an approval", "no run before the user has approved it", `delete_file run with "{\"path\":\"old\"}", and the user was not asked`)),
		Breaks("asked after the run", approved, "asks\nruns old\nasked old",
			Found(1, "", "the call old was run without an approval", "no run before the user has approved it", `delete_file run with "{\"path\":\"old\"}", and the call was approved by then or later`)),
		Breaks("an approval that is for another call", approved, "asks\nasked old\nruns old\nasks on\n\tcalls old\n\tresult old\nruns new",
			Found(2, "", "the call new was run without an approval", "no run before the user has approved it", `delete_file run with "{\"path\":\"new\"}", and the user was not asked`)),
		Breaks("undecided", pending, "asks\nasked old in vain\ncancels\nruns old",
			Found(1, "", "the call old was run without an approval", "no run before the user has approved it", `delete_file run with "{\"path\":\"old\"}", and the call was undecided by then or later`)),
	},
	"approvals/denied-not-run": {
		Holds("not run", denied, results(told, told)),
		Holds("the run ends there", denied, "asks\nasked old\nstopped: denied"),
		SeesNothing("nobody was asked", denied, "asks\nruns old\ncompleted"),
		SeesNothing("approved", approved, "asks\nasked old\nruns old\ncompleted"),
		SeesNothing("nothing follows", denied, "asks\nasked old\ncrashed"),
		Holds("an equal call, which is approved, is run without an id", twins, "asks\nasked old\nasked again\nruns again as -\nasks\ncompleted"),
		Holds("the result of another call is of the cache", twiceDenied, fromCache),
		Breaks("run anyway", denied, "asks\nasked old\nruns old\ncompleted",
			Found(1, "", "the call old was run although the user denied it", "no run", `delete_file run with "{\"path\":\"old\"}"`)),
	},
	"approvals/asked-as-called": {
		Holds("as the model wrote it", approved, "asks\nasked old"),
		Holds("parsed and written again", approved, `asks
		asked old with { "path" : "old" }`),
		SeesNothing("nobody was asked", approved, "asks\nruns old"),
		Breaks("other arguments", approved, `asks
		asked old with {"path":"tmp"}`,
			Found(1, "", "the user was asked about another call than old", `delete_file with "{\"path\":\"old\"}"`, `delete_file with "{\"path\":\"tmp\"}"`)),
		Breaks("no arguments", approved, `asks
		asked old with {}`,
			Found(1, "", "the user was asked about another call than old", `delete_file with "{\"path\":\"old\"}"`, `delete_file with "{}"`)),
		Breaks("a call that there is not", approved, `asks
		asked format_disk {}`,
			Found(0, "", "the user was asked about a call that the model did not make", "a call of the model", `format_disk with "{}"`)),
	},
	"approvals/asked-once": {
		Holds("each call once", denied, results(told, told)),
		SeesNothing("nobody was asked", approved, "asks\nruns old"),
		Breaks("twice about a call", approved, "asks\nasked old\nasked old",
			Found(1, "", "the user was asked several times about the call old", "one question", "2 questions")),
		Breaks("about a call that needs no approval", denied, "asks\nasked space",
			Found(1, "", "the user was asked about the call space, which needs no approval", "no question", "1 question")),
	},
	"approvals/edited-arguments-run": {
		Holds("as the user approved it", edited, `asks
		asked old
		runs old with {"path":"older"}`),
		SeesNothing("not run", edited, "asks\nasked old"),
		SeesNothing("not asked is for run-after-approval", edited, "asks\nruns old"),
		SeesNothing("approved as it is", approved, "asks\nasked old\nruns old"),
		Breaks("as the model wrote it", edited, "asks\nasked old\nruns old",
			Found(1, "", "the call old was run with other arguments than the user approved", `"{\"path\":\"older\"}"`, `"{\"path\":\"old\"}"`)),
	},
	"approvals/denial-told": {
		Holds("in words", denied, results(told, "denied")),
		SeesNothing("approved", approved, "asks\nasked old\nruns old\nasks on\n\tcalls old\n\tresult old\ncompleted"),
		SeesNothing("no request follows", denied, "asks\nasked old\nstopped: denied"),
		SeesNothing("run anyway", denied, "asks\nasked old\nruns old\nasks on\n\tcalls space, old, new\n\tresult space\n\tresult old\n\tresult new: Deleted.\ncompleted"),
		Breaks("an empty result", denied, results(told, ""),
			Found(2, "/messages/4/content", "the call new, which the user denied, was answered with nothing", "words from which the model knows that it was not run", "an empty result")),
	},
	"approvals/denial-says-why": {
		Holds("with the reason", denied, results(told, "denied")),
		SeesNothing("approved", approved, "asks\nasked old\nruns old\nasks on\n\tcalls old\n\tresult old\ncompleted"),
		SeesNothing("nothing at all is for denial-told", denied, results("", "denied")),
		Breaks("without the reason", denied, results("The user did not allow it.", "denied"),
			Found(2, "/messages/3/content", "the result of the call old does not say why the user denied it", `a result with "I need it."`, `"The user did not allow it."`)),
	},
	"approvals/next-prompt-goes-on": {
		Holds("it goes on", pending, "asks\nasked old in vain\ncancels\nasks\n\tprompt 2\ncompleted"),
		Holds("the whole task is cancelled", pending, "asks\nasked old in vain\ncancels\nstopped: cancelled"),
		SeesNothing("decided", approved, "asks\nasked old\nruns old\nfailed: odd"),
		SeesNothing("it never ends", pending, "asks\nasked old in vain\ncancels\nhung"),
		Breaks("the next prompt fails", pending, "asks\nasked old in vain\ncancels\nfailed: results are missing",
			Found(1, "", "the next prompt failed since a call had waited for a decision", "a request with the next prompt", `the loop reported failed: "results are missing"`)),
	},
}
