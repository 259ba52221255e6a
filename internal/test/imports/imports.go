// Package imports tells which packages of this module another one depends on, for tests of packages
// that must share nothing with others.
package imports

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// Own returns the packages of this module that the package of the test depends on, itself included,
// in order and separated by spaces. What only tests import does not count.
func Own(t *testing.T) string {
	t.Helper()
	const module = "github.com/xcheck-ltl/xcheck/"
	out := must.Get(exec.Command("go", "list", "-deps", ".").Output())
	var own []string
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), module); ok {
			own = append(own, name)
		}
	}
	slices.Sort(own)
	return strings.Join(own, " ")
}
