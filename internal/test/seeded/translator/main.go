// Command translator is a translator with the bugs that its environment names; see package seeded.
// Campaigns use it, because it starts faster than a test binary.
package main

import (
	"fmt"
	"os"

	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
)

func main() {
	seeded.Main()
	fmt.Fprintln(os.Stderr, "expected the name of a bug in", seeded.Variable)
	os.Exit(2)
}
