package translators_test

import (
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestWithin: a call has no more time than asked for, and the next one that of the tool again; a
// longer time than the tool's own changes nothing.
func TestWithin(t *testing.T) {
	t.Parallel()
	r := translators.NewTestRunner(t, 2)
	answer := `printf 'HOA: v1\nStates: 0\nAcceptance: 0 t\n--BODY--\n--END--\n'`
	for _, mode := range []translators.Mode{translators.Spawn, translators.Stream} {
		line := map[translators.Mode]string{
			translators.Spawn:  "case %f in b) sleep 0.5;; esac; " + answer,
			translators.Stream: "while read -r f; do case $f in b) sleep 0.5;; esac; " + answer + "; done",
		}[mode]
		c, err := translators.ParseCommand(line, mode)
		if err != nil {
			t.Fatal(err)
		}
		tool := &translators.Tool{Name: "slow on b", Command: c, Mode: mode, Limits: translators.Limits{Timeout: 20 * time.Second}}
		s := ltl.NewStore()
		for _, call := range []struct {
			prop    string
			timeout time.Duration
			want    outcome.Status
		}{
			{"a", 0, outcome.OK},
			{"b", 100 * time.Millisecond, outcome.Timeout},
			{"b", 0, outcome.OK},
			{"a", time.Hour, outcome.OK},
		} {
			for name, ask := range map[string]func() (*translators.Output, error){
				"kept": func() (*translators.Output, error) {
					return tool.Translate(t.Context(), r, s.Prop(call.prop), call.timeout)
				},
				"alone": func() (*translators.Output, error) {
					return tool.Alone(t.Context(), r, s.Prop(call.prop), call.timeout)
				},
			} {
				if mode == translators.Stream && name == "alone" {
					continue // it reads standard input to the end
				}
				if out, err := ask(); err != nil || out.Status != call.want {
					t.Errorf("%v, %s: %s within %v: %+v, %v, want %v", mode, name, call.prop, call.timeout, out, err, call.want)
				}
			}
		}
	}
}
