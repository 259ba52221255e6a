package validate

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	batchvalidation "k8s.io/kubernetes/pkg/apis/batch/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// dockerfile reads a Dockerfile as docker build does, and returns what its linter says as an
// error.
func dockerfile(text []byte) ([]instructions.Stage, error) {
	file, err := parser.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var warnings []string
	l := linter.New(&linter.Config{Warn: func(name, _, _, message string, _ []parser.Range) {
		warnings = append(warnings, name+": "+message)
	}})
	stages, _, err := instructions.Parse(file.AST, l)
	if err == nil && len(warnings) > 0 {
		err = fmt.Errorf("%s", strings.Join(warnings, "\n"))
	}
	return stages, err
}

// TestDockerfile copies and builds what the Dockerfile says, without its base images: the
// files that it copies are there, and the binary needs no library.
func TestDockerfile(t *testing.T) {
	text := read(t, "../kubernetes/Dockerfile")
	stages, err := dockerfile(text)
	if err != nil {
		t.Fatal(err)
	}
	checkCopies(t, stages)
	if !bytes.Contains(text, []byte("COPY --from=build /xcheck ")) {
		t.Error("the image lacks the binary")
	}
	binary := filepath.Join(t.TempDir(), "xcheck")
	ran := 0
	for _, stage := range stages {
		for _, command := range stage.Commands {
			command, ok := command.(*instructions.RunCommand)
			if !ok {
				continue
			}
			line := strings.Join(command.CmdLine, " ")
			cmd := exec.Command("sh", "-c", strings.ReplaceAll(line, " /xcheck ", " "+binary+" "))
			cmd.Dir = "../.."
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
			ran++
		}
	}
	if ran < 2 {
		t.Errorf("%d commands run", ran)
	}
	file, err := elf.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, p := range file.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the binary is linked dynamically")
		}
	}
}

// TestImage reads the Dockerfile of the image: the files that it copies exist. release/try uses the
// root that it makes.
func TestImage(t *testing.T) {
	stages, err := dockerfile(read(t, "../../Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	if last := stages[len(stages)-1]; last.BaseName != "scratch" {
		t.Errorf("the image is made from %s, want scratch", last.BaseName)
	}
	checkCopies(t, stages)
}

// checkCopies fails the test unless the files that a Dockerfile copies from the repository exist.
func checkCopies(t *testing.T, stages []instructions.Stage) {
	t.Helper()
	copied := 0
	for _, stage := range stages {
		for _, command := range stage.Commands {
			copying, ok := command.(*instructions.CopyCommand)
			if !ok || copying.From != "" {
				continue
			}
			for _, source := range copying.SourcePaths {
				if _, err := os.Stat(filepath.Join("../..", source)); err != nil {
					t.Error(err)
				}
				copied++
			}
		}
	}
	if copied < 4 {
		t.Errorf("%d files copied", copied)
	}
}

// TestMistakes puts one mistake after the other into the examples: whoever reads such a file must
// find it, and name it. There is one for each part of the checks.
func TestMistakes(t *testing.T) {
	for _, x := range []struct{ file, old, new, want string }{
		{"kubernetes/Dockerfile", "COPY --from=build", "COPY --form=build", "unknown flag"},
		{"kubernetes/Dockerfile", "AS build", "as Build", "StageNameCasing"},
		{"kubernetes/shards.yaml", "kind: Job", "kind: Jobs", "no kind \"Jobs\" is registered"},
		{"kubernetes/shards.yaml", "completionMode:", "completionmode:", "unknown field \"spec.completionmode\""},
		{"kubernetes/shards.yaml", "value: \"4\"", "value: 4", "cannot unmarshal number"},
		{"kubernetes/shards.yaml", "action: FailIndex", "action: Retry", "spec.podFailurePolicy.rules[0].action"},
		{"kubernetes/shards.yaml", "restartPolicy: Never", "restartPolicy: OnFailure", "when podFailurePolicy is specified"},
		{"kubernetes/shards.yaml", "runAsNonRoot: true", "runAsNonRoot: false", "runAsNonRoot != true"},
		{"kubernetes/report.yaml", "action: Ignore", "action: FailIndex", "spec.podFailurePolicy.rules[1].action"},
		{"kubernetes/volume.yaml", "storage: 10Gi", "storage: -10Gi", "must be greater than zero"},
		{"github/shards.yml", "needs: history", "needs: histories", "does not exist"},
		{"github/shards.yml", "upload-artifact@v7", "upload-artifact@v3", "too old"},
		{"github/shards.yml", "merge-multiple:", "merge-several:", "input \"merge-several\" is not defined"},
		{"github/shards.yml", `cat "$NIGHT/report.md"`, `cat $NIGHT/report.md`, "SC2086"},
		{"../action.yml", "inputs.reports }}", "inputs.report }}", "property \"report\" is not defined"},
		{"../action.yml", `>>"$GITHUB_PATH"`, ">>$GITHUB_PATH", "SC2086"},
	} {
		text := string(read(t, "../"+x.file))
		if !strings.Contains(text, x.old) {
			t.Errorf("%s: no %q", x.file, x.old)
			continue
		}
		wrong := []byte(strings.Replace(text, x.old, x.new, 1))
		var err error
		switch filepath.Ext(x.file) {
		case "":
			_, err = dockerfile(wrong)
		case ".yaml":
			_, err = manifest(wrong)
		default:
			if x.file == "../action.yml" {
				wrong = readMetadata(t, wrong).workflow(t)
			}
			for _, e := range lint(t, wrong) {
				err = errors.Join(err, e)
			}
		}
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %q for %q: got %v, want %q", x.file, x.new, x.old, err, x.want)
		}
	}
}

// strict reads manifests, and knows no field that the API does not have.
var strict = serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict).UniversalDeserializer()

// manifest reads one object and checks it as the API server does when it is created, in a
// namespace "xcheck" that lets in only pods of the restricted profile.
func manifest(text []byte) (runtime.Object, error) {
	object, _, err := strict.Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(object)
	switch object := object.(type) {
	case *batchv1.Job:
		err = checkJob(object)
	case *corev1.PersistentVolumeClaim:
		object.Namespace = "xcheck"
		var claim core.PersistentVolumeClaim
		if err = legacyscheme.Scheme.Convert(object, &claim, nil); err == nil {
			options := corevalidation.ValidationOptionsForPersistentVolumeClaim(&claim, nil)
			err = corevalidation.ValidatePersistentVolumeClaim(&claim, options).ToAggregate()
		}
	case *corev1.ConfigMap:
		object.Namespace = "xcheck"
		var m core.ConfigMap
		if err = legacyscheme.Scheme.Convert(object, &m, nil); err == nil {
			err = corevalidation.ValidateConfigMap(&m).ToAggregate()
		}
	default:
		err = fmt.Errorf("%T is checked nowhere", object)
	}
	return object, err
}

func checkJob(object *batchv1.Job) error {
	object.Namespace = "xcheck"
	object.UID = "3f1c0ab2-0001-4000-8000-000000000000"
	var job batch.Job
	if err := legacyscheme.Scheme.Convert(object, &job, nil); err != nil {
		return err
	}
	// What the API server adds to a job that says nothing of its selector.
	if job.Spec.Selector == nil {
		labels := map[string]string{
			batch.LegacyJobNameLabel:       job.Name,
			batch.JobNameLabel:             job.Name,
			batch.LegacyControllerUidLabel: string(job.UID),
			batch.ControllerUidLabel:       string(job.UID),
		}
		for label, value := range job.Spec.Template.Labels {
			labels[label] = value
		}
		job.Spec.Template.Labels = labels
		job.Spec.Selector = metav1.AddLabelToSelector(&metav1.LabelSelector{}, batch.ControllerUidLabel, string(job.UID))
	}
	err := batchvalidation.ValidateJob(&job, batchvalidation.JobValidationOptions{RequirePrefixedLabels: true}).ToAggregate()
	return errors.Join(err, restricted(&object.Spec.Template))
}

// restricted checks a pod against the strictest of the Pod Security Standards.
func restricted(pod *corev1.PodTemplateSpec) error {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		return err
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	result := policy.AggregateCheckResults(evaluator.EvaluatePod(level, &pod.ObjectMeta, &pod.Spec))
	if !result.Allowed {
		return fmt.Errorf("%s: %s", result.ForbiddenReason(), result.ForbiddenDetail())
	}
	return nil
}
