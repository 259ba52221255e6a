package main

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/session"
)

const siteHelp = `Writes a static site of the history to DIR, which is created if necessary: an index
of causes and translators, and a page for each cause. Open DIR/index.html in a
browser; no server is needed. The page of a cause keeps its name from night to night.
Pages that have not changed are not touched.`

// writeSite writes the pages of a history.
func (a *app) writeSite(s *history.Store, args []string) error {
	ended := func(x *history.Info) string {
		r := newRunLine(x)
		return r.state()
	}
	w, err := session.WriteSite(a.ctx, s, args[0], ended, a.note)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s: %s, %s; %s written, %d unchanged", w.Index, plural.Of(w.Causes, "cause"), plural.Of(w.Runs, "run"), plural.Of(w.Written, "page"), w.Same)
	if w.Removed > 0 {
		text += fmt.Sprintf(", %d removed", w.Removed)
	}
	return a.answer(text, w)
}
