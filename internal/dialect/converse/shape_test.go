package converse

import "testing"

// TestExceptionsInStreams: a stream ends with one of the exceptions of ConverseStreamOutput, whatever
// the status of the error is elsewhere, and its payload has no type.
func TestExceptionsInStreams(t *testing.T) {
	for said, want := range map[string]string{
		"ThrottlingException":         "throttlingException",
		"ModelErrorException":         "modelStreamErrorException",
		"InternalServerException":     "internalServerException",
		"ValidationException":         "validationException",
		"ServiceUnavailableException": "serviceUnavailableException",
		"AccessDeniedException":       "internalServerException", // which a stream does not have
	} {
		events := new(Shape).Failure([]byte(`{"message":"Wait.","__type":"`+said+`"}`), nil)
		if len(events) != 1 || !events[0].Failure || events[0].Name() != want || string(events[0].Data) != `{"message":"Wait."}` {
			t.Errorf("%s becomes %+v, want %s", said, events, want)
		}
	}
}
