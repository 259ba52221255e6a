package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/cmd/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/internal/version"
)

func (a *app) manCommand() *cobra.Command {
	var folder string
	c := &cobra.Command{
		Use: "man [COMMAND] [flags]",
		Long: `Prints the manual page of COMMAND, or of xcheck, for the program man. With --folder, it writes
the pages of all commands, as a package installs them.`,
		Example: `  xcheck man run | man -l -
  xcheck man bench emptiness > xcheck-bench-emptiness.1
  xcheck man --folder ~/.local/share/man/man1`,
		ValidArgsFunction: namesOfCommands,
		RunE: func(c *cobra.Command, args []string) error {
			if folder != "" {
				if len(args) > 0 {
					return fmt.Errorf("--folder writes the pages of all commands: leave out %s", strings.Join(args, " "))
				}
				if err := os.MkdirAll(folder, 0o777); err != nil {
					return err
				}
				return writePages(c.Root(), folder)
			}
			of, err := findCommand(c.Root(), args)
			if err != nil {
				return err
			}
			_, err = io.WriteString(a.out, helpPages().Page(of, "xcheck "+version.Own()))
			return err
		},
	}
	c.Flags().StringVar(&folder, "folder", "", "write the pages of all commands to `FOLDER`")
	return c
}

// writePages writes the pages of a command and its subcommands.
func writePages(c *cobra.Command, folder string) error {
	if c.Name() == "help" {
		return nil
	}
	page := helpPages().Page(c, "xcheck "+version.Own())
	if err := os.WriteFile(filepath.Join(folder, help.PageName(c)+".1"), []byte(page), 0o666); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if err := writePages(sub, folder); err != nil {
			return err
		}
	}
	return nil
}
