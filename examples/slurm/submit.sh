#!/bin/sh
# Submits a night to Slurm: an array with a task for each shard, and a job that reports when
# all tasks have ended, however they did.
#
#	submit.sh SHARDS CONFIG HISTORY NIGHT [FLAG OF xcheck run]...
#
# as in ../nightly/shard.sh, in folders that all nodes see. Called every evening by cron:
#
#	0 21 * * *  submit.sh 32 ~/nightly.toml ~/xcheck.db ~/nights/$(date +\%F) --seed $(date +\%Y\%m\%d)
#
# Called again for the same night, it goes on with the shards that have not come to their
# ends. Options for all jobs, such as an account or a partition, are best set in the
# environment: SBATCH_ACCOUNT, SBATCH_PARTITION.
set -eu

if [ $# -lt 4 ]; then
	echo 'usage: submit.sh SHARDS CONFIG HISTORY NIGHT [FLAG OF xcheck run]...' >&2
	exit 2
fi
shards=$1 config=$2 history=$3 night=$4
shift 4
# Slurm copies a batch script to its own folder, so that has to be told where the others are.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
XCHECK_NIGHTLY=$(CDPATH='' cd -- "$here/../nightly" && pwd)
export XCHECK_NIGHTLY

mkdir -p "$night"
array=$(sbatch --parsable --array="1-$shards" --output="$night/shard-%a.log" \
	"$here/shards.sbatch" "$shards" "$config" "$history" "$night" "$@")
report=$(sbatch --parsable --dependency="afterany:$array" --output="$night/report.log" \
	"$here/report.sbatch" "$history" "$night")
echo "array $array, report $report"
