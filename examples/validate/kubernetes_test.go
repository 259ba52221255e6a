package validate

import (
	"os"
	"strings"
	"testing"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestManifests(t *testing.T) {
	for _, name := range []string{"volume.yaml", "shards.yaml", "report.yaml"} {
		if _, err := manifest(read(t, "../kubernetes/"+name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestManifestMistakes puts one mistake after the other into the manifests: each must be
// found, and named.
func TestManifestMistakes(t *testing.T) {
	for _, x := range []struct{ file, old, new, want string }{
		{"shards.yaml", "batch/v1", "batch/v2", "no kind \"Job\" is registered"},
		{"shards.yaml", "kind: Job", "kind: Jobs", "no kind \"Jobs\" is registered"},
		{"shards.yaml", "completionMode:", "completionmode:", "unknown field \"spec.completionmode\""},
		{"shards.yaml", "backoffLimitPerIndex:", "backoffLimitPerShard:", "unknown field \"spec.backoffLimitPerShard\""},
		{"shards.yaml", "command: [sh, -c]", "command: sh -c", "cannot unmarshal string"},
		{"shards.yaml", "completions: 4", "completions: four", "cannot unmarshal string"},
		{"shards.yaml", "value: \"4\"", "value: 4", "cannot unmarshal number"},
		{"shards.yaml", "parallelism: 4", "completions: 4", "already set"},
		{"shards.yaml", "completionMode: Indexed", "completionMode: Sharded", "spec.completionMode"},
		{"shards.yaml", "completionMode: Indexed", "completionMode: NonIndexed", "spec.backoffLimitPerIndex"},
		{"shards.yaml", "completions: 4", "completions: -4", "spec.completions"},
		{"shards.yaml", "action: FailIndex", "action: Retry", "spec.podFailurePolicy.rules[0].action"},
		{"shards.yaml", "values: [2]", "values: [2, 2]", "spec.podFailurePolicy.rules[0].onExitCodes.values"},
		{"shards.yaml", "podReplacementPolicy: Failed", "podReplacementPolicy: TerminatingOrFailed", "spec.podReplacementPolicy"},
		{"shards.yaml", "restartPolicy: Never", "restartPolicy: Always", "spec.template.spec.restartPolicy"},
		{"shards.yaml", "restartPolicy: Never", "restartPolicy: OnFailure", "when podFailurePolicy is specified"},
		{"shards.yaml", "cpu: \"2\"", "cpu: \"3\"", "must be less than or equal to cpu limit"},
		{"shards.yaml", "memory: 4Gi", "memory: 4 GB", "quantities must match"},
		{"shards.yaml", "- name: tmp\n              mountPath", "- name: temp\n              mountPath", "volumeMounts[2].name: Not found: \"temp\""},
		{"shards.yaml", "key: seed", "", "valueFrom.configMapKeyRef.key: Required"},
		{"shards.yaml", "resource: limits.cpu", "resource: limits.cores", "valueFrom.resourceFieldRef.resource"},
		{"shards.yaml", "name: xcheck-shards", "name: xcheck_shards", "metadata.name"},
		{"shards.yaml", "runAsNonRoot: true", "runAsNonRoot: false", "runAsNonRoot != true"},
		{"shards.yaml", "drop: [ALL]", "drop: [NET_RAW]", "unrestricted capabilities"},
		{"shards.yaml", "type: RuntimeDefault", "type: Unconfined", "seccompProfile"},
		{"report.yaml", "backoffLimit: 3", "backoffLimit: -1", "spec.backoffLimit"},
		{"report.yaml", "values: [1, 2, 3, 4]", "values: [0, 1, 2, 3, 4]", "must not be 0"},
		{"report.yaml", "action: Ignore", "action: FailIndex", "spec.podFailurePolicy.rules[1].action"},
		{"volume.yaml", "[ReadWriteMany]", "[]", "spec.accessModes: Required"},
		{"volume.yaml", "storage:", "disk:", "spec.resources[storage]"},
		{"volume.yaml", "storage: 10Gi", "storage: -10Gi", "must be greater than zero"},
	} {
		text := string(read(t, "../kubernetes/"+x.file))
		if !strings.Contains(text, x.old) {
			t.Errorf("%s: no %q", x.file, x.old)
			continue
		}
		_, err := manifest([]byte(strings.Replace(text, x.old, x.new, 1)))
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %q for %q: got %v, want %q", x.file, x.new, x.old, err, x.want)
		}
	}
}
