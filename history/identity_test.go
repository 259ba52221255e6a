package history

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestUnexplained: a first night shrinks formulas, and meets Ga and Fb, shrunk from G(a&b) and
// F(b&c). The second night does not shrink any: its failures are one cause.
func TestUnexplained(t *testing.T) {
	const known, unseen = "a words Ga: known", "a words Fb: unseen"
	for _, x := range []struct {
		name     string
		replayed []string // the formulas that are wrong in the second night
		fresh    bool     // a formula that is not replayed is wrong, too
		class    string   // of the cause of the second night, if it is not words
		between  string   // a formula that is right in a night between the two
		want     string
	}{
		{"known", []string{"Ga"}, false, "", "", known + ", " + unseen},
		{"several groups", []string{"Ga", "G(a&b)", "F(b&c)"}, false, "", "", known + ", a words Fb: known"},
		{"one is new", []string{"Ga"}, true, "", "", "a words b U c: new, " + known + ", " + unseen},
		{"all are new", nil, true, "", "", "a words b U c: new, a words Ga: unseen, " + unseen},
		{"explained", []string{"Ga", "GFa"}, false, "", "", known + ", " + unseen},
		{"of no group", []string{"Ga", "Xa"}, false, "", "", "a words Xa: new, " + known + ", " + unseen},
		{"another failure", []string{"Ga"}, false, "exit", "", "a exit Ga: new, a words Ga: unseen, " + unseen},
		{"fixed, and back again", []string{"Ga"}, false, "", "Ga", "a words Ga: back again, " + unseen},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := openTemporary(t)
			r := begin(t, s, "")
			cause := func(formula, original string) *outcome.Cause {
				return &outcome.Cause{Translators: []string{"a"}, Class: outcome.ParseClass(classes["words"]), Formula: formula, Ground: true,
					Formulas: 1, Original: original, Key: "words " + formula}
			}
			compare := func(causes []*outcome.Cause, decided *Decided) string {
				regression, err := r.Compare(ctx, causes, func(c *outcome.Cause) string { return c.Formula }, decided)
				if err != nil {
					t.Fatal(err)
				}
				var list []string
				for _, g := range regression.Groups {
					_, key, _ := strings.Cut(g.Key, " | ")
					list = append(list, fmt.Sprintf("%s %s: %s", g.Translators[0], key, g.State))
				}
				return strings.Join(list, ", ")
			}
			end := func() {
				if err := r.End(1, true, []byte("{}")); err != nil {
					t.Fatal(err)
				}
			}
			compare([]*outcome.Cause{cause("Ga", "G(a&b)"), cause("Fb", "F(b&c)")}, &Decided{})
			end()
			if x.between != "" {
				r = begin(t, s, "")
				var decided Decided
				decided.Add(replayed("a", "Ga", "ok"))
				decided.Add(replayed("a", "G(a&b)", "ok"))
				compare(nil, &decided)
				end()
			}
			class := "words"
			if x.class != "" {
				class = x.class
			}
			r = begin(t, s, "")
			var decided Decided
			all := &outcome.Cause{Translators: []string{"a"}, Class: outcome.ParseClass(classes[class]), Formula: "Ga", Original: "Ga", Key: class}
			failing := x.replayed
			for _, formula := range failing {
				decided.Add(replayed("a", formula, class))
			}
			if x.fresh {
				failing = append(failing, "b U c")
			}
			for _, formula := range failing {
				all.Samples = append(all.Samples, outcome.Sample{Formula: formula, Class: all.Class, Formulas: 1, Key: class + " " + formula})
			}
			for range 2 { // it can be called again
				if got := compare([]*outcome.Cause{all}, &decided); got != x.want {
					t.Errorf("got %q, want %q", got, x.want)
				}
			}
		})
	}
}
