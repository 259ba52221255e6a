package session

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// CheckTools finds out which tools of a plan can be started. If some can't, that is an error that
// says which and why, unless ignore is set: then they are left out, and become those that are
// missing.
func (p *Plan) CheckTools(ctx context.Context, ignore bool) error {
	reasons := make([]string, len(p.Tools))
	var asked errgroup.Group
	asked.SetLimit(runtime.GOMAXPROCS(0)) // each may start a shell, or the tool itself
	for i, tool := range p.Tools {
		asked.Go(func() error {
			reasons[i] = tool.Missing(ctx)
			return nil
		})
	}
	asked.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	var lines strings.Builder
	var good []*translators.Tool
	var missing []report.Missing
	for i, tool := range p.Tools {
		if reasons[i] == "" {
			good = append(good, tool)
			continue
		}
		missing = append(missing, report.Missing{Name: tool.Name, Origin: tool.Origin, Reason: reasons[i]})
		name := tool.Name
		if tool.Origin != "" {
			name += " (" + tool.Origin + ")"
		}
		fmt.Fprintf(&lines, "\n  %s: %s%s", name, reasons[i], spelling.DidYouMean(meantTool(tool)))
	}
	switch {
	case len(missing) == 0:
		return nil
	case !ignore:
		return fmt.Errorf("%s; use --ignore-missing to skip:%s", p.cannotStart(len(missing)), &lines)
	case len(good) == 0:
		return errors.New(p.cannotStart(len(missing)) + ", and there is no other:" + lines.String())
	}
	p.note("%s; skipping:%s", p.cannotStart(len(missing)), &lines)
	p.Tools, p.Missing = good, missing
	return nil
}

// meantTool returns the known program that was probably meant by that of a tool that can't start:
// one on PATH, as another one could not start either.
func meantTool(t *translators.Tool) string {
	program := t.Command.Program()
	var found []string
	for _, s := range configs.Shorthands() {
		if name := s.Program(); name != "" && !slices.Contains(found, name) && name != program {
			if _, err := exec.LookPath(name); err == nil {
				found = append(found, name)
			}
		}
	}
	return spelling.Nearest(program, found)
}

// cannotStart says that n translators, or tools for automata, cannot be started.
func (p *Plan) cannotStart(n int) string {
	what := "translator"
	if p.Automata != nil {
		what = "tool"
	}
	if n == 1 {
		return fmt.Sprintf("a %s cannot be started", what)
	}
	return plural.Of(n, what) + " cannot be started"
}
