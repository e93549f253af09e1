package wire

// ErrorQuirks returns the quirks of errors that come after the status 200 in the form of what is
// between a loop and a provider, whatever the API, and of good answers with the key of an error;
// and those of a dialect itself. One that has its name takes the place of the shared one.
func ErrorQuirks(own ...Quirk) []Quirk {
	as := func(name, does string, form func(problem streamError) Fields) Quirk {
		return Quirk{
			Name: name, Does: does,
			Events: onFailure(func(problem streamError) Event { return Event{Data: form(problem).JSON()} }),
			Whole:  func(body []byte) []byte { return form(problemOf(Parsed(body))).JSON() },
		}
	}
	return withOwn([]Quirk{
		as("error-as-text", "sends an error that is a string", func(p streamError) Fields { return Fields{{Key: "error", Value: p.message}} }),
		as("error-base-resp", "sends an error as base_resp with a status_code", baseResp),
		{
			Name: "error-named-event",
			Does: "sends an error as an event named error",
			Events: onFailure(func(p streamError) Event {
				return Event{Lines: []string{"event: error"}, Data: Fields{{Key: "error", Value: p.raw()}}.JSON()}
			}),
		},
		{
			Name: "error-bare-event",
			Does: "sends an error as an event named error, without the key error in its data",
			Events: onFailure(func(p streamError) Event {
				return Event{Lines: []string{"event: error"}, Data: p.raw()}
			}),
		},
		{
			Name:   "error-field",
			Does:   "sends an error as the non-standard field error: of the stream, and ends the stream",
			Events: onFailure(func(p streamError) Event { return Event{Lines: []string{"error: " + string(p.raw())}} }),
		},
		{
			Name: "error-without-data",
			Does: "sends an error within a stream as a line of JSON, without the word data before it",
			Events: onFailure(func(p streamError) Event {
				return Event{Lines: []string{string(Fields{{Key: "error", Value: p.raw()}}.JSON())}}
			}),
		},
		{Name: "error-null", Does: "sends null as the error in every event of a good answer", Events: EachPayload(withError(nil)), Whole: InBody(withError(nil))},
		{Name: "error-empty", Does: "sends an empty string as the error in every event of a good answer", Events: EachPayload(withError("")), Whole: InBody(withError(""))},
	}, own)
}

// streamError is what an error says that comes after the status 200.
type streamError struct {
	message string
	object  *Node // under the key error of its payload, or the payload itself
}

// raw returns the error as its dialect has it, without the rest of its payload.
func (p streamError) raw() Raw { return Raw(p.object.JSON()) }

// problemOf reads the payload of an error, which has it under a key or is it.
func problemOf(payload *Node) streamError {
	object := payload
	if inside := payload.Path("error"); inside.Is(Object) {
		object = inside
	}
	return streamError{message: object.Path("message").Text(), object: object}
}

// onFailure sends another event in place of those of an error, and nothing after it.
func onFailure(instead func(streamError) Event) func([]Event) []Event {
	return func(events []Event) (changed []Event) {
		failed := false
		for _, e := range events {
			switch {
			case !e.Failure:
				changed = append(changed, e)
			case !failed:
				failed = true
				odd := instead(problemOf(Parsed(e.Data)))
				odd.Failure = true
				changed = append(changed, odd)
			}
		}
		return changed
	}
}

// baseResp is an error as MiniMax sends it.
func baseResp(p streamError) Fields {
	status := Fields{{Key: "status_code", Value: 1000}, {Key: "status_msg", Value: p.message}}
	return Fields{{Key: "choices", Value: nil}, {Key: "base_resp", Value: status}}
}

func withError(value any) func(*Node) {
	return func(payload *Node) { payload.Set("error", value) }
}
