// Package validate checks the examples of how a night is spread over machines.
//
// The manifests for Kubernetes are read and checked by the code with which the API server
// itself does it, and by the admission of pods to a namespace that is restricted; the
// workflow for GitHub Actions by actionlint. Both are run as well, without their engines:
// what the containers and steps are to do is done by processes on this machine, with the
// environment, the volumes and the artifacts that they would get.
package validate
