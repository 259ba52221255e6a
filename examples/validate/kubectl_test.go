package validate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/jsonpath"
	"sigs.k8s.io/yaml"
)

// asKubectl, in the environment, makes the test binary a kubectl with a cluster of its own,
// in the folder that it names. It takes what submit.sh says, checks manifests as the API server
// does, and does for their pods what kubelet and job controller do, as far as they can
// be had from processes on this machine.
const asKubectl = "XCHECK_TEST_KUBECTL"

// A cluster is a folder with a file for each object, the volumes and the pods' logs.
type cluster string

// kubectl does what a command line says.
func (c cluster) kubectl(args []string, in io.Reader, out io.Writer) error {
	switch line := strings.Join(args, " "); {
	case args[0] == "apply" && args[1] == "-f":
		var text []byte
		var err error
		if args[2] == "-" {
			text, err = io.ReadAll(in)
		} else {
			text, err = os.ReadFile(args[2])
		}
		if err != nil {
			return err
		}
		return c.apply(text, out)
	case strings.HasPrefix(line, "delete job ") && args[len(args)-1] == "--ignore-not-found":
		for _, name := range args[2 : len(args)-1] {
			if err := os.RemoveAll(c.object("job", name)); err != nil {
				return err
			}
		}
		return nil
	case strings.HasPrefix(line, "create configmap ") && strings.HasSuffix(line, " --dry-run=client -o yaml"):
		data := map[string]string{}
		for _, arg := range args[3 : len(args)-3] {
			source, pair, _ := strings.Cut(arg, "=")
			key, value, _ := strings.Cut(pair, "=")
			if source == "--from-file" {
				text, err := os.ReadFile(value)
				if err != nil {
					return err
				}
				value = string(text)
			}
			data[key] = value
		}
		object := corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: metav1.ObjectMeta{Name: args[2]}, Data: data}
		text, err := yaml.Marshal(object)
		out.Write(text)
		return err
	case strings.HasPrefix(line, "get job ") && len(args) == 5 && args[3] == "-o":
		var job batchv1.Job
		if err := c.load("job", args[2], &job); err != nil {
			return err
		}
		return printPath(out, args[4], job)
	case strings.HasPrefix(line, "get pods --selector=batch.kubernetes.io/job-name=") && len(args) == 6 && args[3] == "--sort-by=.metadata.creationTimestamp" && args[4] == "-o":
		var pods corev1.PodList
		_, name, _ := strings.Cut(args[2], "/job-name=")
		if err := c.load("pods", name, &pods); err != nil {
			return err
		}
		return printPath(out, args[5], pods)
	case strings.HasPrefix(line, "logs job/"):
		text, err := os.ReadFile(c.object("log", strings.TrimPrefix(args[1], "job/")))
		out.Write(text)
		return err
	default:
		return fmt.Errorf("kubectl %s: what does it do?", line)
	}
}

func printPath(out io.Writer, path string, object any) error {
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	var fields any
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	p := jsonpath.New("out").AllowMissingKeys(true)
	if err := p.Parse(strings.TrimPrefix(path, "jsonpath=")); err != nil {
		return err
	}
	return p.Execute(out, fields)
}

func (c cluster) object(kind, name string) string {
	return filepath.Join(string(c), kind+"-"+name)
}

func (c cluster) load(kind, name string, object any) error {
	text, err := os.ReadFile(c.object(kind, name))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, object)
}

func (c cluster) store(kind, name string, object any) error {
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	return os.WriteFile(c.object(kind, name), text, 0o666)
}

// apply makes an object. A job is done when it returns.
func (c cluster) apply(text []byte, out io.Writer) error {
	object, err := manifest(text)
	if err != nil {
		return err
	}
	switch object := object.(type) {
	case *corev1.PersistentVolumeClaim:
		return os.MkdirAll(c.object("volume", object.Name), 0o777)
	case *corev1.ConfigMap:
		folder := c.object("mounted", object.Name)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		for key, text := range object.Data {
			if err := os.WriteFile(filepath.Join(folder, key), []byte(text), 0o666); err != nil {
				return err
			}
		}
		return c.store("configmap", object.Name, object)
	case *batchv1.Job:
		if _, err := os.Stat(c.object("job", object.Name)); err == nil {
			return fmt.Errorf("job %s is there: its template can't be changed", object.Name)
		}
		return c.run(object)
	}
	return fmt.Errorf("%T: what is to be done with it?", object)
}

// run has the pods of a job do their work, each again when it fails, as its policies say.
func (c cluster) run(job *batchv1.Job) error {
	completions, retries := 1, int(*job.Spec.BackoffLimit)
	if job.Spec.CompletionMode != nil && *job.Spec.CompletionMode == batchv1.IndexedCompletion {
		completions, retries = int(*job.Spec.Completions), int(*job.Spec.BackoffLimitPerIndex)
	}
	type end struct {
		pods []corev1.Pod
		ok   bool
		err  error
	}
	ends := make(chan end)
	for index := range completions {
		go func() {
			var e end
			for try := 0; !e.ok && e.err == nil && try <= retries; try++ {
				var status int
				status, e.err = c.pod(job, index)
				pod := corev1.Pod{Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{
					{State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: int32(status)}}}}}}
				e.pods = append(e.pods, pod)
				e.ok = status == 0
				if action := policyOf(job, status); action == batchv1.PodFailurePolicyActionFailIndex || action == batchv1.PodFailurePolicyActionFailJob {
					break
				}
			}
			ends <- e
		}()
	}
	var pods corev1.PodList
	kind := batchv1.JobComplete
	var err error
	for range completions {
		e := <-ends
		pods.Items = append(pods.Items, e.pods...)
		err = errors.Join(err, e.err)
		if !e.ok {
			kind = batchv1.JobFailed
		}
	}
	job.Status.Conditions = []batchv1.JobCondition{{Type: kind, Status: corev1.ConditionTrue}}
	return errors.Join(err, c.store("pods", job.Name, pods), c.store("job", job.Name, job))
}

// policyOf returns what is to be done about a pod that ended with a status.
func policyOf(job *batchv1.Job, status int) batchv1.PodFailurePolicyAction {
	if status == 0 || job.Spec.PodFailurePolicy == nil {
		return batchv1.PodFailurePolicyActionCount
	}
	for _, rule := range job.Spec.PodFailurePolicy.Rules {
		if rule.OnExitCodes != nil && slices.Contains(rule.OnExitCodes.Values, int32(status)) == (rule.OnExitCodes.Operator == batchv1.PodFailurePolicyOnExitCodesOpIn) {
			return rule.Action
		}
	}
	return batchv1.PodFailurePolicyActionCount
}

// pod runs the container of a pod, and returns its status. A volume is a folder, the path of
// which stands in the arguments where the mount's was.
func (c cluster) pod(job *batchv1.Job, index int) (int, error) {
	spec := &job.Spec.Template.Spec
	container := spec.Containers[0]
	mounts := map[string]string{}
	temporary, err := os.MkdirTemp(string(c), "pod-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temporary)
	for _, mount := range container.VolumeMounts {
		k := slices.IndexFunc(spec.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name })
		switch volume := spec.Volumes[k]; {
		case volume.PersistentVolumeClaim != nil:
			mounts[mount.MountPath] = c.object("volume", volume.PersistentVolumeClaim.ClaimName)
		case volume.ConfigMap != nil:
			// The same folder for all pods, as they have the same path.
			mounts[mount.MountPath] = c.object("mounted", volume.ConfigMap.Name)
		case volume.EmptyDir != nil:
			mounts[mount.MountPath] = filepath.Join(temporary, mount.Name)
			if err := os.Mkdir(mounts[mount.MountPath], 0o777); err != nil {
				return 0, err
			}
		default:
			return 0, fmt.Errorf("volume %s: where does it come from?", volume.Name)
		}
	}
	var pairs []string
	for path, folder := range mounts {
		pairs = append(pairs, path+"/", folder+"/")
	}
	placed := strings.NewReplacer(pairs...).Replace
	cmd := exec.Command(container.Command[0], container.Command[1:]...)
	for _, arg := range container.Args {
		cmd.Args = append(cmd.Args, placed(arg))
	}
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/", "TMPDIR=" + mounts["/tmp"], "JOB_COMPLETION_INDEX=" + strconv.Itoa(index)}
	for _, v := range container.Env {
		value := v.Value
		switch from := v.ValueFrom; {
		case from == nil:
		case from.ConfigMapKeyRef != nil:
			var object corev1.ConfigMap
			if err := c.load("configmap", from.ConfigMapKeyRef.Name, &object); err != nil {
				return 0, err
			}
			var ok bool
			if value, ok = object.Data[from.ConfigMapKeyRef.Key]; !ok {
				return 0, fmt.Errorf("config map %s has no %s", object.Name, from.ConfigMapKeyRef.Key)
			}
		case from.ResourceFieldRef != nil && from.ResourceFieldRef.Resource == "limits.cpu":
			value = strconv.FormatInt(container.Resources.Limits.Cpu().Value(), 10)
		default:
			return 0, fmt.Errorf("variable %s: where does it come from?", v.Name)
		}
		cmd.Env = append(cmd.Env, v.Name+"="+value)
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	err = cmd.Run()
	name := job.Name
	if job.Spec.CompletionMode != nil && *job.Spec.CompletionMode == batchv1.IndexedCompletion {
		name += "-" + strconv.Itoa(index)
	}
	file, err2 := os.OpenFile(c.object("log", name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err2 != nil {
		return 0, err2
	}
	defer file.Close()
	if _, err := file.Write(log.Bytes()); err != nil {
		return 0, err
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if status := exit.ExitCode(); status >= 0 {
			return status, nil
		}
		return 137, nil
	}
	return 0, err
}

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
