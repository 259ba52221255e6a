package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/cmd/xcheck/internal/help"
	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translate"
)

// commonReports are the flags of reports that most people need, and otherReports all others.
const commonReports = "html junit json csv"

func otherReports() string {
	var names []string
	for _, f := range report.Written() {
		if !slices.Contains(strings.Fields(commonReports), f.Name) {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, " ")
}

// helpPages are the help of all commands. Commands without groups of flags have one group.
var helpPages = sync.OnceValue(func() *help.Pages {
	return &help.Pages{
		Flags: map[string][]help.Group{
			"run": {
				{Heading: "Formulas", Common: "formula file patterns number profile seed",
					More: "size ap past psl weights sere-weights boolean weak-fairness simplify keep-trivial keep-duplicates syntax lbt-input lenient allow-dups"},
				{Heading: "Translators", Common: "translator no-builtin list-translators", More: "stream tool-syntax tool-format options with-options reference no-reference no-found only ignore-missing relabel"},
				{Heading: "Checks", Common: "grind stop-on-error", More: "prove strict-failures ignore-failures ignore-execution-failures fail-on-timeout " +
					"all-pairs complement no-complement no-checks products states density"},
				{Heading: "Limits", Common: "timeout jobs", More: "max-time max-case-time max-memory max-macrostates grind-calls"},
				{Heading: "Reports", Common: commonReports, More: otherReports() + " save-bogus save-automata save-proofs strength ambiguous automata omit-missing csv-more"},
				{Heading: "Nights", Common: "config history resume until fail-on-new", More: "dry-run for shard name baseline"},
				{Heading: "Output", Common: "quiet verbose help", More: "color progress help-all"},
			},
			"aut": {
				{Heading: "Automata", Common: "file number acceptance ap seed",
					More: "states density acc-probability ba colored deterministic state-based-acceptance functions unique"},
				{Heading: "Tools", Common: "tool stream language-complemented", More: "language-preserved only list-shorthands ignore-missing"},
				{Heading: "Checks", Common: "grind stop-on-error", More: "prove strict-failures ignore-failures ignore-execution-failures fail-on-timeout " +
					"all-pairs complement no-checks"},
				{Heading: "Limits", Common: "timeout max-time jobs", More: "max-case-time max-memory max-macrostates max-product-states max-word-steps"},
				{Heading: "Reports", Common: commonReports + " save-bogus", More: otherReports() + " save-automata save-proofs strength ambiguous automata omit-missing csv-more"},
				{Heading: "Nights", Common: "history resume fail-on-new", More: "for until shard name baseline"},
				{Heading: "Output", Common: "quiet verbose help", More: "color progress help-all"},
			},
			"grind": {
				{Heading: "Formulas", Common: "formula file patterns config", More: "syntax"},
				{Heading: "Translators", Common: "translator reference no-builtin", More: "stream tool-syntax tool-format options with-options no-reference no-found ignore-missing"},
				{Heading: "Lists", Common: "list mutations max-count sort", More: "to full-parentheses"},
				{Heading: "Steps", Common: "", More: "ap-to-const remove-one-ap remove-multop-operands remove-ops split-ops rewrite-ops subformulas to-const lower-ops everywhere"},
				{Heading: "Limits", Common: "timeout max-calls jobs", More: "complement max-time max-case-time max-memory max-macrostates"},
				{Heading: "Output", Common: "json verbose help", More: "help-all"},
			},
			"random": {
				{Heading: "Formulas", Common: "number seed size ap past psl weights",
					More: "profile sere-weights boolean weak-fairness simplify keep-trivial keep-duplicates dump-weights"},
				{Heading: "Automata", Common: "automata acceptance states deterministic",
					More: "density acc-probability ba colored state-based-acceptance functions unique"},
				{Heading: "Output", Common: "to json help", More: "full-parentheses max-time max-memory help-all"},
			},
			"report": {
				{Heading: "Results", Common: "history run fail-on-new"},
				{Heading: "Comparison", Common: "compare measure svg by-file", More: "x y"},
				{Heading: "Output", Common: "format json quiet verbose help", More: "color strength ambiguous automata omit-missing csv-more max-time max-memory help-all"},
			},
		},
		Commands: []help.CommandGroup{
			{Heading: "Check", Commands: "run aut ltlcross autcross grind"},
			{Heading: "Automata", Commands: "accepts empty intersect compare complement convert lint prove verify"},
			{Heading: "Formulas", Commands: "translate eval random patterns"},
			{Heading: "Results", Commands: "report history merge"},
			{Heading: "Program", Commands: "version completion man"},
		},
		Status: `Exit status:
  0    success: no disagreement, equal, empty, true
  1    disagreement, false property, different, non-empty, false
  2    error: wrong usage, unreadable input, internal error
  3    run and aut: a translator failed, or a check is undecided
  130  interrupted
`,
	}
})

type shell struct {
	name  string
	write func(root *cobra.Command, out io.Writer) error
}

// shells are the shells that complete command lines, each with the function that writes its script.
var shells = []shell{
	{"bash", writeBash},
	{"zsh", (*cobra.Command).GenZshCompletion},
	{"fish", func(root *cobra.Command, out io.Writer) error { return root.GenFishCompletion(out, true) }},
	{"powershell", (*cobra.Command).GenPowerShellCompletionWithDesc},
}

// writeBash writes cobra's script for bash, which escapes a name only if no other one fits.
func writeBash(root *cobra.Command, out io.Writer) error {
	// The first TAB (COMP_TYPE 9) inserts what several names have in common, so they need escapes as
	// well: owl<TAB> becomes owl\ ltl2, one word. The second TAB lists the names, without escapes.
	const one = `if (( ${#COMPREPLY[@]} == 1 )); then
            COMPREPLY[0]=$(printf "%q" "${COMPREPLY[0]}")`
	const some = `if (( ${#COMPREPLY[@]} == 1 || ${#COMPREPLY[@]} > 1 && COMP_TYPE == 9 )); then
            IFS=$'\n' read -ra COMPREPLY -d '' < <(printf "%q\n" "${COMPREPLY[@]}")`
	var script strings.Builder
	if err := root.GenBashCompletionV2(&script, true); err != nil {
		return err
	}
	_, err := io.WriteString(out, strings.Replace(script.String(), one, some, 1))
	return err
}

func (a *app) completionCommand() *cobra.Command {
	names := cli.Names(shells, func(s shell) string { return s.name })
	return &cobra.Command{
		Use: "completion SHELL [flags]",
		Long: `Prints a script for SHELL: ` + listed(names, "or") + `. It completes
commands, flags, files, and the names of translators, patterns, algorithms and formats.

For bash, add the first example to ~/.bashrc. For PowerShell, add the last one to your profile.`,
		Example: `  source <(xcheck completion bash)
  xcheck completion zsh > "${fpath[1]}/_xcheck"
  xcheck completion fish > ~/.config/fish/completions/xcheck.fish
  xcheck completion powershell | Out-String | Invoke-Expression`,
		Args:              arguments(1),
		ValidArgsFunction: cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(c *cobra.Command, args []string) error {
			i := slices.Index(names, args[0])
			if i < 0 {
				return fmt.Errorf("unknown shell %q%s", args[0], spelling.Of(args[0], names))
			}
			return shells[i].write(c.Root(), a.out)
		},
	}
}

// commandNames completes arguments that are commands, with the names of known tools or with files.
func commandNames(names []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(names, cobra.ShellCompDirectiveDefault)
}

// listCompletions completes the last name of a list: time,sta with time,states.
func listCompletions(names []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) (lists []string, _ cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		for _, name := range names {
			lists = append(lists, before+name)
		}
		return lists, cobra.ShellCompDirectiveNoFileComp
	}
}

// namesOfCommands completes arguments that name a command.
func namesOfCommands(c *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	if of, err := findCommand(c.Root(), args); err == nil {
		for _, sub := range of.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completions are the values of flags with few values. A flag with different values in several
// commands has a line for each command: "compare algorithm".
func completions() map[string][]string {
	translators := knownTranslators()
	return map[string][]string{
		"color":                whens,
		"complement":           cli.Names(complement.Algorithms(), stringOf),
		"compare algorithm":    cli.Names(complement.Algorithms(), stringOf),
		"complement algorithm": cli.Names(complement.Algorithms(), stringOf),
		"complement to":        writableNames(),
		"convert to":           writableNames(),
		"measure":              report.MeasureNames(),
		"patterns":             patternNames(),
		"profile":              cli.Names(random.Profiles(), stringOf),
		"progress":             whens,
		"report format":        formats(),
		"syntax":               {"spot", "spin", "lbt", "wring", "auto"},
		"to":                   {"spot", "spin", "lbt", "wring", "utf8", "latex"},
		"tool":                 automatonTools(),
		"translate algorithm":  translationNames(),
		"translator":           translators,
		"reference":            translators,
		"only":                 slices.Concat(translationNames(), translators),
	}
}

func knownTranslators() []string {
	return toolsThat((*configs.Shorthand).Translates)
}

// automatonTools returns the programs that configs.CompleteAutomaton completes.
func automatonTools() []string { return toolsThat((*configs.Shorthand).TakesAutomata) }

func toolsThat(fit func(*configs.Shorthand) bool) (names []string) {
	for _, s := range configs.Shorthands() {
		if fit(&s) {
			names = append(names, s.Name)
		}
	}
	return names
}

func patternNames() []string {
	return cli.Names(patterns.Sets(), func(s *patterns.Set) string { return s.Name })
}

func translationNames() []string {
	return cli.Names(translate.Algorithms(), func(x translate.Algorithm) string { return x.Name })
}

func stringOf[S ~string](s S) string { return string(s) }

// completeFlags lets the shell complete the values of the flags of c and its subcommands: --color
// with always, auto and never, and flags whose value help calls FILE or FOLDER with files.
func completeFlags(c *cobra.Command, values map[string][]string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		names, ok := values[c.Name()+" "+f.Name]
		if !ok {
			names = values[f.Name]
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		var value string
		value, f.Usage = pflag.UnquoteUsage(f) // without backquotes, which a shell would show
		switch value {
		case "FILE":
			directive = cobra.ShellCompDirectiveDefault
		case "FOLDER":
			directive = cobra.ShellCompDirectiveFilterDirs
		}
		complete := cobra.FixedCompletions(names, directive)
		if f.Value.Type() == "stringSlice" {
			complete = listCompletions(names) // after each comma
		}
		// The only error is that a flag is unknown, or completed already.
		_ = c.RegisterFlagCompletionFunc(f.Name, complete)
	})
	for _, sub := range c.Commands() {
		completeFlags(sub, values)
	}
}

func (a *app) manCommand() *cobra.Command {
	var folder string
	c := &cobra.Command{
		Use: "man [COMMAND] [flags]",
		Long: `Prints the manual page of COMMAND, or of xcheck, for the program man. With --folder, it writes
the pages of all commands, as a package installs them.`,
		Example: `  xcheck man run | man -l -
  xcheck man history list > xcheck-history-list.1
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
