// Package validate checks the example files that spread a night over several machines.
//
// The Kubernetes manifests go through the API server's own parser and validation, and through the
// admission checks of a restricted namespace. actionlint checks the GitHub Actions workflow.
//
// The tests also run both examples, without Kubernetes and without GitHub. Local processes do the
// work of the containers and steps, with the same environment, volumes and artifacts.
package validate
