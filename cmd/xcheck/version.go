package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/internal/version"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "version [flags]",
		Long: "Prints the version of xcheck, and what it was built from.",
		Example: `  xcheck version
  xcheck version --json
  xcheck version | head -1`,
		Args: arguments(0),
		RunE: func(c *cobra.Command, args []string) error {
			b := version.This()
			lines := []string{"xcheck version " + b.Version}
			if b.Commit != "" {
				line := fmt.Sprintf("commit %s of %s", b.Commit, b.Date)
				if b.Modified {
					line += ", with changes"
				}
				lines = append(lines, line)
			}
			lines = append(lines, fmt.Sprintf("built with %s for %s", b.Go, b.Platform))
			return a.answer(strings.Join(lines, "\n"), b)
		},
	}
}
