package main

import (
	"log"
	"os"
	"path/filepath"
)

func Example() {
	dir, err := os.MkdirTemp("", "signatures-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chdir(dir); err != nil {
		log.Fatal(err)
	}
	// Both formulas have automata of two states, and the second negation one of three.
	document := `{"cases": [
{"index":0,"formula":"a U b","results":[{"translator":"t","status":"ok","states":2},{"translator":"t","negated":true,"status":"ok","states":2}]},
{"index":1,"formula":"b U a","results":[{"translator":"t","status":"ok","states":2},{"translator":"t","negated":true,"status":"ok","states":3}]}
]}`
	if err := os.WriteFile(filepath.Join(dir, "run.json"), []byte(document), 0o600); err != nil {
		log.Fatal(err)
	}
	if err := table(os.Stdout, []string{"run.json"}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// document  formulas  signatures  per 1,000  undecided
	// run.json  2         2           1000       0
}
