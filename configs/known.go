package configs

import (
	"os/exec"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// Known returns translators that people have, ready to be run if they are
// installed. In a file, tool = "spin" stands for what is here.
func Known() []Translator {
	// None has operators of the past; Spin's syntax does not either. None of the never
	// claim tools has W, M or xor. Spin has X only if it was compiled with -DNXT, which
	// distributions do not do.
	old := ltl.Ops(ltl.OpXor, ltl.OpWeakUntil, ltl.OpStrongRelease)
	return []Translator{
		{Name: "ltl2tgba", Command: "ltl2tgba -H %f", Format: "hoa", Without: ltl.PastOps},
		{Name: "ltl2ba", Command: "ltl2ba -f %s", Format: "never", Without: old},
		{Name: "ltl3ba", Command: "ltl3ba -f %s", Format: "never", Without: old},
		{Name: "spin", Command: "spin -f %s", Format: "never", Without: old.With(ltl.OpNext)},
	}
}

// VersionFlag returns the flag with which the known tool of that name prints its
// version, or "" if there is none.
func VersionFlag(name string) string {
	return map[string]string{"ltl2tgba": "--version", "ltl3ba": "-v", "spin": "-V"}[name]
}

// Found returns those of Known that are on the PATH.
func Found() []Translator {
	var found []Translator
	for _, t := range Known() {
		program, _, _ := strings.Cut(t.Command, " ")
		if _, err := exec.LookPath(program); err == nil {
			found = append(found, t)
		}
	}
	return found
}
