package session

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// Startable returns the tools that can be started. If some can't, that is an error that says
// which and why, unless ignore is set: then they are returned as missing, and note gets a text
// that says so.
func Startable(ctx context.Context, tools []*translators.Tool, ignore bool, note func(text string)) (good []*translators.Tool, missing []report.Missing, err error) {
	reasons := make([]string, len(tools))
	var asked errgroup.Group
	asked.SetLimit(runtime.GOMAXPROCS(0)) // each may start a shell, or the tool itself
	for i, tool := range tools {
		asked.Go(func() error {
			reasons[i] = tool.Missing(ctx)
			return nil
		})
	}
	asked.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	var lines strings.Builder
	for i, tool := range tools {
		if reasons[i] == "" {
			good = append(good, tool)
			continue
		}
		missing = append(missing, report.Missing{Name: tool.Name, Origin: tool.Origin, Reason: reasons[i]})
		name := tool.Name
		if tool.Origin != "" {
			name += " (" + tool.Origin + ")"
		}
		fmt.Fprintf(&lines, "\n  %s: %s", name, reasons[i])
	}
	switch {
	case len(missing) == 0:
		return good, nil, nil
	case !ignore:
		return nil, nil, fmt.Errorf("%s; use --ignore-missing to skip:%s", cannotStart(len(missing)), &lines)
	case len(good) == 0:
		return nil, nil, errors.New(cannotStart(len(missing)) + ", and there is no other:" + lines.String())
	}
	note(fmt.Sprintf("%s; skipping:%s", cannotStart(len(missing)), &lines))
	return good, missing, nil
}

func cannotStart(n int) string {
	if n == 1 {
		return "a translator cannot be started"
	}
	return fmt.Sprintf("%d translators cannot be started", n)
}
