#!/bin/sh
# Unites the shards of a night, and writes its reports.
#
#	report.sh N CONFIG HISTORY NIGHT
#
# The N shards that shard.sh has made in the folder NIGHT become one run of HISTORY, and
# report.junit.xml, report.md, report.html and report.json are written to NIGHT. What a shard
# that did not come to its end has done is in them as well, and a line says which ones
# these are: run shard.sh for them, and this again.
#
# The status is 1 if a failure is new, or back again, 4 if shards are missing, and else 0.
set -eu
