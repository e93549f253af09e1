package selfcheck

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/loopproof/loopproof/report"
)

// runManifests are those of a run on many machines.
type runManifests struct {
	claim        corev1.PersistentVolumeClaim
	run, verdict batchv1.Job
}

func readRunManifests(t *testing.T) *runManifests {
	t.Helper()
	data, err := os.ReadFile("../../deploy/kubernetes-run.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m := &runManifests{}
	into := []any{&m.claim, &m.run, &m.verdict}
	documents := bytes.Split(data, []byte("\n---\n"))
	if len(documents) != len(into) {
		t.Fatalf("there are %d documents, want %d", len(documents), len(into))
	}
	for i, document := range documents {
		if err := yaml.UnmarshalStrict(document, into[i]); err != nil {
			t.Fatalf("document %d: %v", i+1, err)
		}
	}
	return m
}

// The manifests of a run are read by the types of the Kubernetes API, and what they say of each
// other fits.
func TestManifestsOfARun(t *testing.T) {
	m := readRunManifests(t)
	spec := m.run.Spec
	if *spec.CompletionMode != batchv1.IndexedCompletion || *spec.Completions != *spec.Parallelism || spec.BackoffLimitPerIndex == nil {
		t.Errorf("the Job is no Indexed Job with a limit for each index: %+v", spec)
	}
	if want := "--shard-index=$(JOB_COMPLETION_INDEX)/" + strconv.Itoa(int(*spec.Completions)); !slices.Contains(spec.Template.Spec.Containers[0].Args, want) {
		t.Errorf("%d pods get the arguments %q, want %s", *spec.Completions, spec.Template.Spec.Containers[0].Args, want)
	}
	if *m.verdict.Spec.ActiveDeadlineSeconds < *spec.ActiveDeadlineSeconds {
		t.Error("the verdict is given up before the run is")
	}
	if diff := cmp.Diff(map[int32]batchv1.PodFailurePolicyAction{1: batchv1.PodFailurePolicyActionFailIndex, 2: batchv1.PodFailurePolicyActionFailJob}, onExit(m.run)); diff != "" {
		t.Errorf("what follows from the exit codes of a part: %s", diff)
	}
	if diff := cmp.Diff(map[int32]batchv1.PodFailurePolicyAction{1: batchv1.PodFailurePolicyActionFailJob, 2: batchv1.PodFailurePolicyActionFailJob}, onExit(m.verdict)); diff != "" {
		t.Errorf("what follows from the exit codes of the verdict: %s", diff)
	}
	for _, job := range []batchv1.Job{m.run, m.verdict} {
		pod := job.Spec.Template.Spec
		container := pod.Containers[0]
		if pod.RestartPolicy != corev1.RestartPolicyNever {
			t.Errorf("%s: a policy for failed pods needs the restart policy Never, not %s", job.Name, pod.RestartPolicy)
		}
		if volume := pod.Volumes[0]; volume.PersistentVolumeClaim == nil || volume.PersistentVolumeClaim.ClaimName != m.claim.Name ||
			container.VolumeMounts[0].Name != volume.Name || container.VolumeMounts[0].MountPath != "/reports" {
			t.Errorf("%s: the reports are at %+v of %+v", job.Name, container.VolumeMounts, pod.Volumes)
		}
		if !*pod.SecurityContext.RunAsNonRoot || *container.SecurityContext.AllowPrivilegeEscalation || !*container.SecurityContext.ReadOnlyRootFilesystem {
			t.Errorf("%s: the container may do more than it needs: %+v", job.Name, container.SecurityContext)
		}
		if container.Resources.Requests.Cpu().IsZero() || container.Resources.Limits.Memory().IsZero() {
			t.Errorf("%s: the container has no request or no limit: %+v", job.Name, container.Resources)
		}
	}
}

// onExit returns what a Job does about each exit code of its container.
func onExit(job batchv1.Job) map[int32]batchv1.PodFailurePolicyAction {
	actions := map[int32]batchv1.PodFailurePolicyAction{}
	for _, rule := range job.Spec.PodFailurePolicy.Rules {
		if on := rule.OnExitCodes; on != nil && *on.ContainerName == job.Spec.Template.Spec.Containers[0].Name {
			for _, code := range on.Values {
				actions[code] = rule.Action
			}
		}
	}
	return actions
}

// The commands of all pods, run side by side with the arguments of the manifests, give the report
// of one run.
func TestManifestsOfARunPlayed(t *testing.T) {
	m := readRunManifests(t)
	loopproof := filepath.Join(t.TempDir(), "loopproof")
	build := exec.Command("go", "build", "-o", loopproof, "./cmd/loopproof")
	build.Dir = "../.." // with the dependencies of the main module
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	reports := t.TempDir()
	pod := func(job batchv1.Job, index int) *exec.Cmd {
		var args []string
		for _, arg := range job.Spec.Template.Spec.Containers[0].Args {
			arg = strings.ReplaceAll(arg, "$(JOB_COMPLETION_INDEX)", strconv.Itoa(index)) // as the kubelet does
			args = append(args, strings.ReplaceAll(arg, "/reports", reports))
		}
		if args[0] == "run" {
			args = slices.Insert(args, 1, "--quick")
		}
		return exec.Command(loopproof, args...)
	}
	pods := []*exec.Cmd{pod(m.verdict, 0)}
	for index := range int(*m.run.Spec.Completions) {
		pods = append(pods, pod(m.run, index))
	}
	failed := make(chan error)
	for _, pod := range pods {
		go func() {
			_, err := pod.Output()
			failed <- err
		}()
	}
	for range pods {
		if err := <-failed; err != nil {
			t.Errorf("a pod failed: %v", err)
		}
	}
	if _, err := exec.Command(loopproof, "run", "--quick", "--seed=1", "--report="+filepath.Join(reports, "one")).Output(); err != nil {
		t.Fatal(err)
	}
	timeless := cmp.Options{
		cmpopts.IgnoreFields(report.Report{}, "Started", "DurationMS"), cmpopts.IgnoreFields(report.Case{}, "DurationMS", "Trace"), cmpopts.EquateEmpty(),
	}
	if diff := cmp.Diff(readOwnReport(t, reports, "one"), readOwnReport(t, reports, "whole"), timeless); diff != "" {
		t.Errorf("the merged report is not that of one run: %s", diff)
	}
}

func readOwnReport(t *testing.T, folder, name string) *report.Report {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, name, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := report.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
