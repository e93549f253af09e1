package faults

import "testing"

// TestReports counts the public reports that a fault models. None is counted twice or passed over
// in silence; that the faults are caught is for the kill matrix to say.
func TestReports(t *testing.T) {
	if _, err := embeddedReports(); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	modelled, all := 0, All()
	for _, r := range Reports() {
		if r.Project == "" || r.Symptom == "" || len(r.Links) == 0 {
			t.Errorf("%s, %s: a report has a project, a symptom and links", r.Project, r.Symptom)
			continue
		}
		for _, link := range r.Links {
			if other, ok := seen[thread(link)]; ok {
				t.Errorf("%s occurs twice: %q and %q", link, other, r.Symptom)
			}
			seen[thread(link)] = r.Symptom
		}
		switch faults := r.ModelledBy(all); {
		case len(faults) > 0 && r.Cannot != "":
			t.Errorf("%s is modelled by %v and needs no excuse", r.Links[0], faults)
		case len(faults) > 0:
			modelled++
		case r.Cannot == "":
			t.Errorf("%s: a report without a fault says why it cannot have one", r.Links[0])
		default:
			t.Logf("cannot be modelled: %s, %s: %s", r.Project, r.Symptom, r.Cannot)
		}
	}
	t.Logf("%d of %d public reports are modelled by a fault that is caught; %d cannot be", modelled, len(Reports()), len(Reports())-modelled)
}
