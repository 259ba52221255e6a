package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// shardCases runs a part of a run, and returns its cases by their indexes, without times.
func shardCases(t *testing.T, dir, shard string, more ...string) map[int]outcome.Case {
	t.Helper()
	file := filepath.Join(dir, "json")
	args := []string{"run", "--no-found", "-f", "a U b", "-f", "b U a", "-f", "!(a U b)", "-f", "GFa", "-n", "9", "--no-guide", "--seed", "5", "--json=" + file}
	if shard != "" {
		args = append(args, "--shard", shard)
	}
	var out, errs bytes.Buffer
	if s := run(append(args, more...), nil, &out, &errs); s != outcome.ExitPassed {
		t.Fatalf("shard %s: status %d: %s", shard, s, errs.String())
	}
	var document struct{ Cases []outcome.Case }
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &document)
	}
	if err != nil {
		t.Fatal(err)
	}
	cases := map[int]outcome.Case{}
	for i, c := range document.Cases {
		if i > 0 && c.Index <= document.Cases[i-1].Index {
			t.Errorf("shard %s: case %d comes behind %d", shard, c.Index, document.Cases[i-1].Index)
		}
		for k := range c.Results {
			r := &c.Results[k]
			r.Seconds, r.CPU, r.MaxRSS, r.Proved, r.Unproved = 0, 0, 0, false, "" // which depend on time
		}
		cases[c.Index] = c
	}
	return cases
}

// TestShards: the parts of a run without a guide have no case in common, and together all of them,
// with the same indexes. Duplicates are left out in all parts alike.
func TestShards(t *testing.T) {
	t.Setenv(asMain, "1") // the built-in translators are processes of this command
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	dir := t.TempDir()
	all := shardCases(t, dir, "")
	if len(all) != 12 {
		t.Errorf("%d cases, want 12: three given ones, and nine random ones", len(all))
	}
	for _, n := range []int{3, 5} {
		seen := 0
		for i := 1; i <= n; i++ {
			for index, c := range shardCases(t, dir, fmt.Sprint(i, "/", n)) {
				seen++
				if index%n != i-1 {
					t.Errorf("shard %d/%d has case %d", i, n, index)
				}
				if !reflect.DeepEqual(c, all[index]) {
					t.Errorf("shard %d/%d, case %d: got %+v, want %+v", i, n, index, c, all[index])
				}
			}
		}
		if seen != len(all) {
			t.Errorf("%d shards have %d cases, want %d", n, seen, len(all))
		}
	}
}
