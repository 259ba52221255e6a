package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/translate"
)

// shells are the shells that complete command lines, each with the function that writes its script.
var shells = []struct {
	name  string
	write func(root *cobra.Command, out io.Writer) error
}{
	{"bash", writeBash},
	{"zsh", (*cobra.Command).GenZshCompletion},
	{"fish", func(root *cobra.Command, out io.Writer) error { return root.GenFishCompletion(out, true) }},
	{"powershell", (*cobra.Command).GenPowerShellCompletionWithDesc},
}

// writeBash writes cobra's script for bash, which escapes a name only if no other one fits. The
// first TAB (COMP_TYPE 9) inserts what several names have in common, so they need escapes as well:
// owl<TAB> becomes owl\ ltl2, one word. The second TAB lists the names, without escapes.
func writeBash(root *cobra.Command, out io.Writer) error {
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
	var names []string
	for _, s := range shells {
		names = append(names, s.name)
	}
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
		ValidArgsFunction: firstArgument(names),
		RunE: func(c *cobra.Command, args []string) error {
			i := slices.Index(names, args[0])
			if i < 0 {
				return fmt.Errorf("unknown shell %q%s", args[0], spelling.Of(args[0], names))
			}
			return shells[i].write(c.Root(), a.out)
		},
	}
}

// firstArgument completes the first argument with names, and no further one.
func firstArgument(names []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			names = nil
		}
		return names, cobra.ShellCompDirectiveNoFileComp
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
	formulaFormats := []string{"spot", "spin", "lbt", "wring", "utf8", "latex"}
	minimizers := emptiness.Names()
	for _, m := range emptiness.Minimizers() {
		minimizers = append(minimizers, string(m))
	}
	values := map[string][]string{
		"ba-accepting":         {"all", "none"},
		"color":                whens,
		"complement":           complement.Names(),
		"compare algorithm":    complement.Names(),
		"emptiness algorithm":  emptiness.Names(),
		"kind":                 bisectKinds(),
		"complement algorithm": complement.Names(),
		"complement to":        writableNames(),
		"convert to":           writableNames(),
		"empty algorithm":      minimizers,
		"emptiness":            emptiness.Names(),
		"measure":              measureNames(),
		"patterns":             patternNames(),
		"profile":              profileNames(),
		"progress":             whens,
		"report format":        formats(),
		"syntax":               {"spot", "spin", "lbt", "wring", "auto"},
		"to":                   formulaFormats,
		"tool":                 configs.AutomatonTools(),
	}
	for _, algorithm := range translate.Algorithms() {
		values["translate algorithm"] = append(values["translate algorithm"], algorithm.Name)
	}
	values["translator"] = knownTranslators()
	values["reference"] = values["translator"]
	values["only"] = slices.Concat(values["translate algorithm"], values["translator"])
	return values
}

func knownTranslators() (names []string) {
	for _, s := range configs.Shorthands() {
		names = append(names, s.Name)
	}
	return names
}

func profileNames() (names []string) {
	for _, p := range random.Profiles() {
		names = append(names, string(p))
	}
	return names
}

func patternNames() (names []string) {
	for _, s := range patterns.Sets() {
		names = append(names, s.Name)
	}
	return names
}

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
			complete = listCompletions(names)
		}
		// The only error is that a flag is unknown, or completed already.
		_ = c.RegisterFlagCompletionFunc(f.Name, complete)
	})
	for _, sub := range c.Commands() {
		completeFlags(sub, values)
	}
}
