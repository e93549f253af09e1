package rulebook

// lostCalls are rules about one kind of call each. A loop that loses calls of any kind breaks them
// where such a call is the one that is lost: the same call, if it were an ordinary one, would break
// the rule that is the cause.
var lostCalls = map[string]string{
	"execution/unknown-tool-answered":  "execution/every-call-run",
	"execution/invalid-json-answered":  "execution/every-call-run",
	"execution/schema-breach-answered": "execution/every-call-run",
}

// MayStemFrom reports whether a violation of a rule may have the same cause as one of another rule
// in a similar run: it may follow from it in one run, or both are about calls that are lost.
func MayStemFrom(rule, cause string) bool {
	return rule != cause && stems(rule, cause, map[string]bool{})
}

func stems(rule, cause string, seen map[string]bool) bool {
	if seen[rule] {
		return false
	}
	seen[rule] = true
	causes := []string{lostCalls[rule]}
	for _, c := range AllConsequences {
		if c.Rule == rule {
			causes = append(causes, c.From)
		}
	}
	for _, from := range causes {
		if from != "" && (from == cause || stems(from, cause, seen)) {
			return true
		}
	}
	return false
}
