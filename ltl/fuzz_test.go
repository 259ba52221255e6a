package ltl_test

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// FuzzParse: what can be read is written such that it is read as the same formula.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"G(a -> Fb) U !c", "{a;b[*2..3]}[]-> c", "{{a:b} & {c && d*}}!", "{first_match(a ##2 b[->2..])}<>=> X[2]c",
		"F[1:3]{a[=2]}", "{a[:+] | [*0];!b -> {c;d}}|=>G[2:]d", "p=0Uq=1", "& p0 U p1 X p2", "[]<>(a && b)",
	} {
		for syn := ltl.Spot; syn <= ltl.Auto; syn++ {
			f.Add(text, uint8(syn))
		}
	}
	f.Fuzz(func(t *testing.T, text string, syn uint8) {
		if len(text) > 1<<10 {
			return
		}
		s := ltl.NewStore()
		g, err := s.Parse(text, ltl.Syntax(syn%uint8(ltl.Auto+1)))
		if err != nil || g.Size() > 1<<14 {
			return
		}
		for _, written := range []string{g.String(), g.Text(ltl.UTF8, false), g.Text(ltl.Letters, true)} {
			h, err := s.Parse(written, ltl.Spot)
			if err != nil || h != g {
				t.Fatalf("%q is written as %q and read as %v, %v", text, written, h, err)
			}
		}
	})
}
