package validate

import (
	"errors"
	"fmt"

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
