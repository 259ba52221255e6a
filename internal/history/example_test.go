package history_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Three nights of one translator. It fails on G a in the first two, and is right in the third.
func ExampleRun_Compare() {
	ctx := context.Background()
	dir := must.Get(os.MkdirTemp("", "history"))
	defer os.RemoveAll(dir)
	store := must.Get(history.Open(ctx, filepath.Join(dir, "history.db")))
	defer store.Close()

	failure := &outcome.Cause{Record: outcome.Record{Translators: []string{"mine"}, Class: outcome.ParseClass("extra words"), Formula: "Ga", Formulas: 1, Key: "extra words Ga"}, Original: "Ga"}
	for _, causes := range [][]*outcome.Cause{{failure}, {failure}, nil} {
		run := must.Get(store.Begin(ctx, &history.Plan{Configuration: []byte("{}"), Shard: 1, Shards: 1, Tools: []history.Tool{{Name: "mine"}}}))
		// The run replays the formulas of earlier failures first.
		var decided history.Decided
		for _, formula := range must.Get(store.Replays(ctx, []string{"mine"})) {
			c := &outcome.Case{Formula: formula, Replayed: true, Checked: true, Reference: "builtin"}
			for _, negated := range []bool{false, true} {
				c.Results = append(c.Results, outcome.Result{Subject: outcome.Subject{Translator: "mine", Polarity: outcome.Polarity(negated)}, Status: "ok"})
			}
			decided.Add(c)
		}
		command := func(c *outcome.Cause) string { return "xcheck run -f " + c.Formula }
		regression := must.Get(run.Compare(ctx, causes, command, &decided))
		for _, g := range regression.Groups {
			fmt.Printf("run %d: %s, %s on %s: %s\n", regression.Run, g.Translators[0], g.Class, g.Formula, g.State)
		}
		if err := run.End(0, true, []byte("{}")); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// run 1: mine, extra words on Ga: new
	// run 2: mine, extra words on Ga: known
	// run 3: mine, extra words on Ga: fixed
}
