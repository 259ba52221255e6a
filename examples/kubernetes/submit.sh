#!/bin/sh
# Runs a night on Kubernetes: the shards as an Indexed Job, then the report as another.
#
#	submit.sh CONFIG NIGHT SEED
#
# CONFIG is the configuration of xcheck, NIGHT the name of the run, such as $(date +%F), and
# SEED the seed of its random formulas, such as $(date +%Y%m%d). It prints the report, which is
# also on the volume, and ends with the status of report.sh: 1 if a failure is new, 3 if nothing
# could be compared, 4 if shards are missing. Call it again for the same night to resume the
# shards that did not finish. The namespace comes from kubectl's context.
set -eu

if [ $# -ne 3 ]; then
	echo 'usage: submit.sh CONFIG NIGHT SEED' >&2
	exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# ended JOB waits until a job is complete or has failed; its activeDeadlineSeconds see to it.
ended() {
	until kubectl get job "$1" -o 'jsonpath={.status.conditions[?(@.status=="True")].type}' | grep -Eq '(^| )(Complete|Failed)( |$)'; do
		sleep "${XCHECK_POLL:-15}"
	done
}

kubectl apply -f "$here/volume.yaml"
kubectl delete job xcheck-shards xcheck-report --ignore-not-found # those of the last night
kubectl create configmap xcheck-night --from-file="nightly.toml=$1" --from-literal="name=$2" --from-literal="seed=$3" \
	--dry-run=client -o yaml | kubectl apply -f -
kubectl apply -f "$here/shards.yaml"
ended xcheck-shards
kubectl apply -f "$here/report.yaml"
ended xcheck-report
kubectl logs job/xcheck-report
status=$(kubectl get pods --selector=batch.kubernetes.io/job-name=xcheck-report --sort-by=.metadata.creationTimestamp \
	-o 'jsonpath={.items[-1:].status.containerStatuses[0].state.terminated.exitCode}')
exit "${status:-2}"
