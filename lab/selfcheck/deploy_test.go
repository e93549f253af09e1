package selfcheck

import (
	"bytes"
	"os"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// The manifests are read by the types of the Kubernetes API, which take no unknown key and no wrong
// type, and what they say of each other fits.
func TestManifests(t *testing.T) {
	data, err := os.ReadFile("../../deploy/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var deployment appsv1.Deployment
	var service corev1.Service
	var scaler autoscalingv2.HorizontalPodAutoscaler
	var budget policyv1.PodDisruptionBudget
	kinds := map[string]any{"Deployment": &deployment, "Service": &service, "HorizontalPodAutoscaler": &scaler, "PodDisruptionBudget": &budget}
	documents := bytes.Split(data, []byte("\n---\n"))
	if len(documents) != len(kinds) {
		t.Fatalf("there are %d documents, want %d", len(documents), len(kinds))
	}
	for _, document := range documents {
		var kind struct{ Kind string }
		if err := yaml.Unmarshal(document, &kind); err != nil {
			t.Fatal(err)
		}
		if err := yaml.UnmarshalStrict(document, kinds[kind.Kind]); err != nil {
			t.Errorf("%s: %v", kind.Kind, err)
		}
	}
	pod := deployment.Spec.Template
	container := pod.Spec.Containers[0]
	for name, selector := range map[string]map[string]string{
		"Deployment": deployment.Spec.Selector.MatchLabels, "Service": service.Spec.Selector, "PodDisruptionBudget": budget.Spec.Selector.MatchLabels,
	} {
		for key, value := range selector {
			if pod.Labels[key] != value {
				t.Errorf("the %s selects %s=%s, which the pods have not", name, key, value)
			}
		}
	}
	port := container.Ports[0]
	if !strings.HasSuffix(container.Args[1], ":8080") || port.ContainerPort != 8080 || service.Spec.Ports[0].TargetPort.String() != port.Name {
		t.Errorf("the ports do not fit: %s, %+v, %+v", container.Args[1], port, service.Spec.Ports[0])
	}
	for _, probe := range []*corev1.Probe{container.StartupProbe, container.ReadinessProbe, container.LivenessProbe} {
		if probe.HTTPGet.Path != "/loopproof/healthz" || probe.HTTPGet.Port.String() != port.Name {
			t.Errorf("a probe looks at %+v", probe.HTTPGet)
		}
	}
	if target := scaler.Spec.ScaleTargetRef; target.Kind != "Deployment" || target.Name != deployment.Name || *scaler.Spec.MinReplicas < 2 {
		t.Errorf("the autoscaler scales %+v from %d replicas", target, *scaler.Spec.MinReplicas)
	}
	if len(container.VolumeMounts) != 1 || container.VolumeMounts[0].Name != pod.Spec.Volumes[0].Name {
		t.Errorf("the mounts %+v do not fit the volumes", container.VolumeMounts)
	}
}
