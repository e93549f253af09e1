package arguments

import (
	"cmp"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// inStreams are loops that stumble over the way in which arguments come.
var inStreams = []hooks.Fault{
	{
		Name:      "arguments/takes-zero-for-nothing",
		Does:      "A piece of arguments that is 0 is treated as an empty one.",
		Reports:   []string{"https://github.com/prism-php/prism/issues/374"},
		Only:      neutral.TextArguments,
		Elsewhere: "no server was seen to cut arguments into pieces of one letter.",
		Breaks:    []string{"arguments/cut-anywhere"},
		Make: onArguments(func() func(*neutral.Piece) {
			return func(p *neutral.Piece) {
				if p.Arguments == "0" {
					p.Arguments = ""
				}
			}
		}),
	},
	{
		Name:      "arguments/takes-equal-pieces-for-one",
		Does:      "A piece of arguments that says the same as the one before it is treated as a repetition.",
		Reports:   []string{"https://github.com/danny-avila/LibreChat/issues/14926"},
		Only:      neutral.TextArguments,
		Elsewhere: "no server was seen to cut arguments into pieces that are alike.",
		Breaks:    []string{"arguments/cut-anywhere"},
		Make: onArguments(func() func(*neutral.Piece) {
			last := map[string]string{}
			return func(p *neutral.Piece) {
				more := p.Arguments
				if more != "" && more == last[p.At] {
					p.Arguments = ""
				}
				last[p.At] = more
			}
		}),
	},
	{
		Name:      "arguments/runs-what-parses",
		Does:      "A call is run as soon as its arguments are whole JSON, and again when more of them has come.",
		Reports:   []string{"https://github.com/vercel/ai/issues/13137", "https://github.com/RooCodeInc/Roo-Code/pull/10415"},
		Only:      neutral.TextArguments,
		Elsewhere: "no server was seen to cut arguments where they are whole JSON already.",
		Breaks:    []string{"arguments/read-to-the-end"},
		Make: hooks.OnStreamed(func(a *hooks.Answer) {
			soFar := map[string]*neutral.Call{}
			var pieces []neutral.Piece
			for _, p := range a.Pieces {
				if c, is := p.Part.(*neutral.Call); is {
					call := *c
					soFar[p.At] = &call
				}
				call, more := soFar[p.At], p.Arguments
				if call == nil {
					pieces = append(pieces, p)
					continue
				}
				if p.Anew {
					call.Arguments = ""
				}
				call.ID, call.Name = cmp.Or(p.ID, call.ID), call.Name+p.Name
				if before := call.Arguments; before != "{}" && more != "" && gjson.Valid(before) {
					again := *call
					again.ID, again.Arguments = call.ID+"_again", before+more
					p = neutral.Piece{At: p.At + " again " + before, Part: &again}
				}
				call.Arguments += more
				pieces = append(pieces, p)
			}
			a.Pieces = pieces
		}),
	},
}
