package agreement

// Reason says why the mock provider answers a request otherwise than the real code, "" where nobody wrote it down.
func Reason(profile, body string) string {
	for _, r := range reasons {
		if r.profile == profile && r.body == body {
			return r.why
		}
	}
	return ""
}

type reason struct{ profile, body, why string }

var reasons = []reason{}
