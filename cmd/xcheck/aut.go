package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/columns"
	"github.com/xcheck-ltl/xcheck/session"
	"github.com/xcheck-ltl/xcheck/translators"
)

// autFlags are the flags of aut that run does not have.
type autFlags struct {
	preserved, complemented bool
	list                    bool // the tools that need no placeholder
	automata                automataFlags
}

func (a *app) autCommand() *cobra.Command {
	own := &autFlags{}
	f := &runFlags{aut: own}
	c := &cobra.Command{
		Use: "aut [flags] [COMMAND]…",
		Long: `Gives automata to tools that keep (or complement) the language, and compares
what they print. Explains each disagreement with a word.

The automata come from -F or a pipe; without them, xcheck generates 100 random
ones. In a COMMAND, %H stands for a HOA file (%S: never claim, %L: LBTT, %B: BA,
%O: the output file). Without %H, HOA goes to standard input; ` + listed(configs.AutomatonTools(), "and") + ` need neither. Without any tool, xcheck checks its own conversions.`,
		Example: `  xcheck aut -t 'autfilt --small' -n 1000 -A 'random 1..4'
  xcheck aut -F automata.hoa -t 'mytool %H > %O' --csv=result.csv
  xcheck aut --language-complemented -t 'autfilt --complement' -B
  xcheck random --automata -n 50 | xcheck aut -F - --stream 'mytool'
  xcheck aut -t 'mytool' -n 1000 --save-bogus=bogus.hoa --grind`,
		Args:              automatonCommands,
		ValidArgsFunction: commandNames(configs.AutomatonTools()),
		RunE: func(_ *cobra.Command, args []string) error {
			if own.list {
				return a.listAutomatonTools()
			}
			f.choice.Commands = append(f.choice.Commands, args...)
			if err := own.askComplement(&f.choice); err != nil {
				return err
			}
			return a.run(f)
		},
	}
	f.begin(c)
	f.storeByDefault = "xcheck-aut.db"
	fs := f.flags
	fs.StringArrayVarP(&f.files, "file", "F", nil, "check the automata in `FILE` (-: standard input)")
	fs.StringArrayVarP(&f.choice.Commands, "tool", "t", nil, "add the tool `COMMAND`")
	fs.StringArrayVar(&f.choice.Streams, "stream", nil, "start `COMMAND` once and send automata one by one")
	fs.StringArrayVar(&f.choice.Batches, "batch", nil, "send many automata to `COMMAND` at once")
	fs.BoolVar(&own.preserved, "language-preserved", false, "expect tools to keep the language")
	fs.BoolVar(&own.complemented, "language-complemented", false, "expect tools to complement the language")
	exclusive(c, "language-preserved", "language-complemented")
	fs.BoolVar(&own.list, "list-shorthands", false, "list tools that need no placeholder")
	addUnlisted(fs, &a.unlisted)
	f.random.addSeed(c, "2")
	own.automata.add(c, "1..6")
	f.addRun(c, kind{"automaton", "automata", "tool"}, 100, append(automataFlagNames, "seed", "ap")...)
	f.addWithout("no-checks", "measure the automata without comparing them", true)
	f.check.add(c, "complement", true)
	f.check.addEmptiness()
	return c
}

// automatonCommands checks that all arguments are commands of tools, and not files.
func automatonCommands(_ *cobra.Command, args []string) error {
	for _, text := range args {
		if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 == 0 {
			return fmt.Errorf("%q is a file, and not the command of a tool; use -F %[1]s for its automata", text)
		}
		if _, err := translators.ParseAutomatonCommand(configs.CompleteAutomaton(text), translators.Spawn); err != nil {
			return fmt.Errorf("%q is not the command of a tool: %w", text, err)
		}
	}
	return nil
}

// complementing matches a command that complements, such as autfilt --complement.
var complementing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|\s)(--?[\w-]*)?complement`) })

// askComplement fails if a tool seems to complement, and no flag says what is expected. Without one,
// autcross compares the tools with each other only.
func (f *autFlags) askComplement(choice *session.Choice) error {
	if f.preserved || f.complemented {
		return nil
	}
	for _, text := range slices.Concat(choice.Commands, choice.Streams, choice.Batches) {
		if complementing().MatchString(text) {
			return fmt.Errorf("%q: add --language-complemented if it complements, or else --language-preserved", text)
		}
	}
	return nil
}

// listAutomatonTools prints the tools whose commands are completed. All others get the automaton on
// standard input.
func (a *app) listAutomatonTools() error {
	if err := a.create(); err != nil {
		return err
	}
	rows := [][]string{{"tool", "command"}}
	answer := toolsAnswer{}
	for _, name := range configs.AutomatonTools() {
		command := configs.CompleteAutomaton(name)
		rows, answer.Tools = append(rows, []string{name, command}), append(answer.Tools, toolAnswer{name, command})
	}
	return a.answer(strings.TrimSuffix(columns.Format(rows), "\n"), answer)
}

// automata returns the inputs of the plan of aut.
func (f *runFlags) automata(a *app) (*session.Automata, error) {
	x := &session.Automata{Complemented: f.aut.complemented, Unlisted: a.unlisted, From: f.from()}
	x.Open = func(name string) (session.Inputs, error) {
		file, err := a.open(name)
		if err != nil {
			return nil, err
		}
		in := &clocked{Reader: file, app: a, name: name}
		automata := session.AutomataFile(name, file, a.reader(name, in))
		return func(ctx context.Context) (cross.Input, error) {
			defer in.stop()
			return automata(ctx)
		}, nil
	}
	var err error
	x.Random, err = f.aut.automata.generated(&f.random)
	return x, err
}

// from says where the automata come from. A seed that is drawn does not matter.
func (f *runFlags) from() (list []string) {
	for _, name := range f.files {
		list = append(list, "-F "+name)
	}
	for _, name := range f.asking {
		if flag := f.flags.Lookup(name); flag.Changed || len(f.files) == 0 && flag.DefValue != "" && name != "seed" {
			list = append(list, "--"+name+"="+flag.Value.String())
		}
	}
	return list
}
