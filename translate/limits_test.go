package translate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// huge returns formulas of n operands, most of which have too many states.
func huge(n int) map[string]string {
	each := func(separator string, part func(i int) string) string {
		var list []string
		for i := range n {
			list = append(list, part(i))
		}
		return strings.Join(list, separator)
	}
	p := func(i int) string { return fmt.Sprintf("p%d", i) }
	return map[string]string{
		"implications":     each(" -> ", func(i int) string { return string("ab"[i%2]) }),
		"conjunction of F": each(" & ", func(i int) string { return fmt.Sprintf("F(p%d & Xp%d)", i, i+1) }),
		"disjunction of U": each(" | ", func(i int) string { return fmt.Sprintf("(p%d U q%d)", i, i) }),
		"G or F":           each(" | ", func(i int) string { return fmt.Sprintf("Gp%d | F(!p%d & GFq%d)", i, i, i) }),
		"equivalences":     each(" <-> ", func(i int) string { return "F" + p(i) }),
		"U to the right":   each(" U ", p),
		"S to the right":   "G(" + each(" S ", p) + ")",
	}
}

// TestCanceled cancels translations of large formulas at different moments: by default at one of
// three, in a campaign at all.
func TestCanceled(t *testing.T) {
	for name, text := range huge(250) {
		for i, a := range Algorithms() {
			for _, at := range campaign.Alternate(i+len(name), 1, 3, 21) {
				s := ltl.NewStore()
				f, err := s.Parse(text, ltl.Spot)
				if err != nil {
					t.Fatal(err)
				}
				ctx := canceled.At(t.Context(), at)
				src, err := a.Source(ctx, s, f)
				if err == nil {
					_, err = omega.Explore(ctx, src, 0)
				}
				var limit *omega.LimitError
				if ctx.Asked >= at && err == nil {
					t.Errorf("%s: %s: canceled at look %d, there is an automaton", name, a.Name, at)
				}
				if err != nil && !errors.Is(err, context.Canceled) && !errors.As(err, &limit) {
					t.Errorf("%s: %s: %v", name, a.Name, err)
				}
				if ctx.Late() > 40 {
					t.Errorf("%s: %s: canceled at look %d, the context was asked %d times more", name, a.Name, at, ctx.Late())
				}
			}
		}
	}
}

// TestTooManySubformulas translates formulas so large that nothing is tried.
func TestTooManySubformulas(t *testing.T) {
	const n = 34000
	for _, name := range campaign.Alternate(0, "conjunction of F", "disjunction of U", "G or F") {
		s := ltl.NewStore()
		f, err := s.Parse(huge(n)[name], ltl.Spot)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range Algorithms() {
			_, err := a.Source(t.Context(), s, f)
			var limit *omega.LimitError
			if !errors.As(err, &limit) || limit.Limit != maxSubformulas {
				t.Errorf("%s: %s: the error is %v", name, a.Name, err)
			}
		}
	}
}
