package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// Tools returns the tools for translators. Limits hold for those that have none of their own.
// Their names are unique: where two are the same, the second one gets a number. The error
// reports a command that is none.
func Tools(list []configs.Translator, limits configs.Limits) (tools []*translators.Tool, err error) {
	for _, x := range list {
		tool, err := newTool(x, limits)
		if err != nil {
			return nil, err
		}
		tools = append(tools, tool)
	}
	rename(tools)
	return tools, nil
}

// rename gives a number to the name of each tool that is the name of one before
// it: the same command twice is allowed, but reports must tell them apart. The
// new name differs from the names of all other tools.
func rename(tools []*translators.Tool) {
	taken := map[string]bool{}
	for _, tool := range tools {
		taken[tool.Name] = true
	}
	seen := map[string]bool{}
	for _, tool := range tools {
		name := tool.Name
		for n := 2; seen[tool.Name] || tool.Name != name && taken[tool.Name]; n++ {
			tool.Name = fmt.Sprintf("%s#%d", name, n)
		}
		seen[tool.Name], taken[tool.Name] = true, true
	}
}

// lacks returns the operators that a built-in translator does not support.
func lacks(builtin string) ltl.OpSet {
	if a, err := translate.ParseAlgorithm(builtin); err == nil && !a.PSL {
		return ltl.PSLOps
	}
	return 0
}

func newTool(x configs.Translator, limits configs.Limits) (*translators.Tool, error) {
	text := x.Command
	if x.Builtin != "" {
		// The equivalent command line, for reports.
		if text = "xcheck translate --algorithm " + x.Builtin; x.Mode == translators.Spawn {
			text += " %f"
		} else {
			text += " -F -"
		}
	}
	command, err := translators.ParseCommand(text, x.Mode)
	if err != nil {
		return nil, err
	}
	tool := &translators.Tool{
		Name:      x.Name,
		Command:   command,
		Mode:      x.Mode,
		Syntax:    x.Syntax,
		Processes: x.Processes,
		Limits: translators.Limits{
			Timeout:      cmp.Or(x.Timeout, limits.Timeout),
			CPU:          cmp.Or(x.CPU, limits.CPU),
			MaxOutput:    cmp.Or(x.MaxOutput, limits.MaxOutput),
			Memory:       cmp.Or(x.Memory, limits.Memory),
			AddressSpace: cmp.Or(x.AddressSpace, limits.AddressSpace),
			OpenFiles:    cmp.Or(x.OpenFiles, limits.OpenFiles),
		},
		CleanEnv:    x.CleanEnv,
		Signature:   x.Signature,
		Without:     x.Without | command.Without() | lacks(x.Builtin),
		Options:     x.Options,
		Reference:   x.Reference,
		Relabel:     x.Relabel,
		VersionFlag: x.VersionFlag,
		Words:       configs.Words(text),
	}
	if x.Builtin != "" {
		tool.Builtin, tool.Syntax = translation(x.Builtin), ltl.Spot
	}
	if _, own := configs.CutSelf(text); own || tool.Builtin != nil {
		tool.Version = version.Own()
	}
	if x.Format != "auto" {
		tool.Format = x.Format
	}
	if tool.Name == "" {
		tool.Name = command.Name()
	}
	for k, v := range x.Env {
		tool.Env = append(tool.Env, k+"="+v)
	}
	return tool, nil
}

// automatonTool returns the tool for a command that transforms automata.
func automatonTool(text string, mode translators.Mode, limits configs.Limits) (*translators.Tool, error) {
	command, err := translators.ParseAutomatonCommand(text, mode)
	if err != nil {
		return nil, err
	}
	tool := &translators.Tool{Name: command.Name(), Command: command, Mode: mode,
		Limits: translators.Limits{Timeout: limits.Timeout, MaxOutput: limits.MaxOutput}}
	if _, own := configs.CutSelf(text); own {
		tool.Version = version.Own()
	}
	return tool, nil
}

// translation returns the built-in tool that translates formulas with an algorithm.
func translation(algorithm string) translators.Builtin {
	return func(ctx context.Context, in string, out io.Writer) error {
		store := ltl.NewStore()
		f, err := store.Parse(in, ltl.Spot)
		if err != nil {
			return err
		}
		a, err := translate.With(ctx, algorithm, store, f)
		if err != nil {
			return err
		}
		return hoa.Write(ctx, out, a)
	}
}

// A construction makes an automaton of another one.
type construction func(context.Context, *omega.Automaton) (*omega.Automaton, error)

// complemented is the construction of complements by an algorithm.
func complemented(algorithm complement.Algorithm) construction {
	return func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
		limits := productcheck.DefaultLimits
		co, _, err := complement.Smallest(ctx, algorithm, a, limits.Macrostates, limits.Memory/2)
		if err != nil {
			return nil, err
		}
		return reduce.WithoutDeadEnds(co), nil
	}
}

// formed is the construction of automata of a form.
func formed(form complement.Form) construction {
	return func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
		limits := productcheck.DefaultLimits
		return form.Apply(ctx, a, limits.Macrostates, limits.Memory/2)
	}
}

// ownTools returns our own constructions as tools: those that complement automata, or those that
// keep the language.
func ownTools(complements bool, limits configs.Limits) (tools []*translators.Tool, err error) {
	type own struct {
		command string // what a user types to get the same
		construction
	}
	list := []own{
		{"{buchi} xcheck convert --buchi -", formed(complement.Form{Buchi: true})},
		{"{state-based} xcheck convert --state-based -", formed(complement.Form{StateBased: true})},
		{"{deterministic} xcheck convert --deterministic -", formed(complement.Form{Deterministic: true})},
		{"{complete} xcheck convert --complete -", formed(complement.Form{Complete: true})},
	}
	if complements {
		list = []own{
			{"{complement} xcheck complement -", complemented("")},
			{"{determinization} xcheck complement --algorithm determinization -", complemented("determinization")},
		}
	}
	for _, x := range list {
		tool, err := automatonTool(x.command, translators.Stream, limits)
		if err != nil {
			return nil, err
		}
		tool.Version = version.Own()
		tool.Builtin = func(ctx context.Context, in string, out io.Writer) error {
			a, _, err := hoa.ReadOne(ctx, []byte(in))
			if err == nil {
				a, err = x.construction(ctx, a)
			}
			if err != nil {
				return err
			}
			return hoa.Write(ctx, out, a)
		}
		tools = append(tools, tool)
	}
	return tools, nil
}

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

// meantTool returns the known program that the user probably meant by the program of a tool that
// can't start. Only programs on PATH count, as others could not start either.
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

// setOptions gives tools the options of the choice. Those that are built in have none.
func (c *Choice) setOptions(tools []*translators.Tool, builtin map[string]bool) error {
	find := func(flag, text string) (i int, value string, err error) {
		name, value, ok := cutName(tools, text)
		i = slices.IndexFunc(tools, func(t *translators.Tool) bool { return t.Name == name })
		switch {
		case !ok:
			err = fmt.Errorf("%s %q: expected NAME=…, with the name of a translator: one of %s", flag, text, strings.Join(namesOf(tools), ", "))
		case builtin[name]:
			err = fmt.Errorf("%s %q: a built-in translator has no options", flag, text)
		default:
			tools[i].Format = "" // an option may change it, as ltl3ba -H3 does
		}
		return i, value, err
	}
	for _, text := range c.Options {
		i, value, err := find("--options", text)
		if err != nil {
			return err
		}
		groups, err := optionGroups(tools[i], value)
		var bad *translators.CommandError
		if errors.As(err, &bad) {
			err = fmt.Errorf("at %d: %s", len(text)-len(value)+bad.Offset+1, bad.Reason)
		}
		if err != nil {
			return fmt.Errorf("--options %q: %w", text, err)
		}
		tools[i].Options = append(slices.Clone(tools[i].Options), groups...)
	}
	for _, text := range c.With {
		i, value, err := find("--with-options", text)
		if err != nil {
			return err
		}
		var options []string
		if strings.TrimSpace(value) != "" {
			options = []string{value}
		}
		if tools[i], err = tools[i].With(options); err != nil {
			return fmt.Errorf("--with-options %q: %w", text, err)
		}
	}
	return nil
}

// cutName splits NAME=VALUE. A name may have the sign, too.
func cutName(tools []*translators.Tool, text string) (name, value string, ok bool) {
	for _, t := range tools {
		if rest, found := strings.CutPrefix(text, t.Name+"="); found && len(t.Name) >= len(name) {
			name, value, ok = t.Name, rest, true
		}
	}
	return name, value, ok
}

func namesOf(tools []*translators.Tool) (names []string) {
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return names
}

// optionGroups returns the group with a text, or all that are known of a tool.
func optionGroups(t *translators.Tool, text string) ([]translators.OptionGroup, error) {
	if text == "all" {
		return configs.KnownOptions(t.Name, t.Command.Text())
	}
	group, err := translators.ParseOptionGroup(text)
	return []translators.OptionGroup{group}, err
}
