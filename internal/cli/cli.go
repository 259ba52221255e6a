// Package cli has what the commands of the product and of the laboratory share: errors of flags and limits, and lists
// for their help.
package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// NoneOf returns the error of the first of some flags that is given. The format has a place for its name.
func NoneOf(fs *pflag.FlagSet, format string, names ...string) error {
	i := slices.IndexFunc(names, fs.Changed)
	if i < 0 {
		return nil
	}
	return fmt.Errorf(format, names[i])
}

// AtLeast is the error of a flag whose value is too small.
func AtLeast(name string, got, least int) error {
	if got >= least {
		return nil
	}
	return fmt.Errorf("--%s %d: expected at least %d", name, got, least)
}

// Reached returns the error of a search. If that is a limit, it says what to raise, and what more to do; time is the
// error of the limit of time.
func Reached(err, time error, more string) error {
	var over *budget.LimitError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w reached; raise --max-time%s", time, more)
	case errors.As(err, &over):
		return fmt.Errorf("%w reached; raise --max-memory%s", err, more)
	}
	return err
}

// Names returns the names of the members of a list.
func Names[T any](list []T, name func(T) string) (names []string) {
	for _, x := range list {
		names = append(names, name(x))
	}
	return names
}

// Described lists the members of a list, a line each.
func Described[T any](width int, all []T, of func(T) (name, about string)) string {
	var b strings.Builder
	for _, x := range all {
		name, about := of(x)
		fmt.Fprintf(&b, "\n  %-*s %s", width, name, about)
	}
	return b.String()
}
