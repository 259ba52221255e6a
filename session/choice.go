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

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
	"golang.org/x/sync/errgroup"
)

// A Choice says which translators a run has besides its configuration, or which tools for automata.
type Choice struct {
	// Commands and References are commands of translators, as [configs.Complete] completes them.
	// References are known to be right.
	Commands, References []string
	// Streams are complete commands of tools that are started once and get one input after the other.
	Streams []string
	Only    []string // the names of the tools to use; nil for all
	// NoBuiltin leaves out the built-in ones. NoFound leaves out those on PATH that nobody asked for. NoReference trusts none.
	NoBuiltin, NoFound, NoReference bool
	Relabel                         bool // gives all of them p0, p1, …
	// Options are NAME=GROUP: the translator called NAME draws from the options GROUP, too, or if
	// that is "all", from those that are known of it. With are NAME=OPTIONS: it has the options
	// OPTIONS, and draws none.
	Options, With []string
	// Syntaxes are NAME=SYNTAX: the syntax of formulas on the standard input of a translator. Formats are
	// NAME=FORMAT: the format of its automata.
	Syntaxes, Formats []string
}

// Finds reports whether the translators on PATH are used, if no configuration names any.
func (c *Choice) Finds() bool {
	return !c.NoFound && len(c.Commands)+len(c.References)+len(c.Streams) == 0
}

// Choose sets the tools of a plan: the translators of the configuration, and the translators of the choice. A
// configuration without translators stands for the built-in and found ones. If the inputs of the plan are
// automata, the tools come from the choice, or if it has none, they are the constructions of xcheck on PATH.
func (p *Plan) Choose(c *Choice) error {
	if p.Config == nil {
		return errNoConfiguration
	}
	c = cmp.Or(c, &Choice{NoFound: true})
	choose := p.chooseTranslators
	if p.Automata != nil {
		choose = p.chooseForAutomata
	}
	tools, err := choose(c)
	if err == nil {
		p.Tools, err = only(tools, c.Only)
	}
	p.Rerun.Tools, p.Rerun.References, p.Rerun.Relabel = c.Commands, c.References, c.Relabel
	p.Rerun.With, p.Rerun.Streams, p.Rerun.Syntaxes, p.Rerun.Formats = c.With, c.Streams, c.Syntaxes, c.Formats
	p.asked = p.asked || len(c.Only) > 0
	p.byDefault, p.Rerun.Drawing = nil, nil
	for _, t := range p.Tools {
		if t.Origin == "" && len(c.Only) == 0 {
			p.byDefault = append(p.byDefault, t.Name)
		}
	}
	for _, t := range p.Tools {
		if len(t.Options) > 0 {
			p.Rerun.Drawing = append(p.Rerun.Drawing, t.Name)
		}
	}
	return err
}

func (p *Plan) chooseTranslators(c *Choice) ([]*translators.Tool, error) {
	var list []configs.Translator
	var origins []string
	add := func(x configs.Translator, origin string) {
		if x.Builtin != "" && c.NoBuiltin {
			return
		}
		x.Relabel = x.Relabel || c.Relabel
		x.Reference = x.Reference && !c.NoReference
		list, origins = append(list, x), append(origins, origin)
	}
	for _, x := range p.Config.Translators {
		add(x, fmt.Sprintf("%s:%d", p.Rerun.Config, x.Line))
	}
	if p.asked = len(p.Config.Translators) > 0; !p.asked {
		for _, x := range translate.Algorithms() {
			add(configs.Translator{Name: x.Name, Builtin: x.Name, Mode: translators.Stream}, "")
		}
		if c.Finds() {
			for _, x := range found() {
				add(x, "")
			}
		}
	}
	for _, text := range c.Commands {
		add(commandTranslator(text), "-t "+translators.Quote(text))
	}
	for _, text := range c.Streams {
		add(configs.Translator{Command: text, Mode: translators.Stream}, "--stream "+translators.Quote(text))
	}
	for _, text := range c.References {
		x := commandTranslator(text)
		x.Reference = true
		add(x, "--reference "+translators.Quote(text))
	}
	if len(list) == 0 {
		return nil, errors.New("no translators: add one with -t, or drop --no-builtin")
	}
	tools, err := newTools(list, p.Config.Limits)
	if err != nil {
		return nil, withKnown(err)
	}
	builtin := map[string]bool{}
	p.builtin = nil // from an earlier call
	for i, tool := range tools {
		tool.Origin = origins[i]
		if builtin[tool.Name] = list[i].Builtin != ""; builtin[tool.Name] {
			p.builtin = append(p.builtin, tool.Name)
		}
	}
	return tools, c.setOptions(tools, builtin)
}

// found returns the known translators that are on PATH and need no arguments.
func found() (list []configs.Translator) {
	for _, s := range configs.Shorthands() {
		if !s.Translates() || s.Program() == "" || s.Example != "" {
			continue
		}
		if _, err := exec.LookPath(s.Program()); err == nil {
			list = append(list, s.Translator(s.Mode))
		}
	}
	return list
}

// listing returns what the CSV has. Built-in translators that nobody has asked for have no lines if
// there are others.
func (p *Plan) listing() *outcome.Listing {
	c, o := &p.Config.Checks, &p.Config.Output
	l := &outcome.Listing{Products: c.Products.Number, Each: c.Separate, Strength: o.Strength, Ambiguous: o.Ambiguous, Automata: o.Automata,
		OmitMissing: o.OmitMissing, More: o.CSVMore}
	if !p.asked && len(p.builtin) < len(p.Tools) {
		l.Aside = p.builtin
	}
	return l
}

// commandTranslator returns the translator of a command, which need not be complete.
func commandTranslator(text string) configs.Translator {
	if x, ok := configs.Complete(text); ok {
		return x
	}
	return configs.Translator{Command: text}
}

// CheckCommand returns why a text is not the command of a translator, which need not be complete:
// nil if it is one.
func CheckCommand(text string) error {
	x := commandTranslator(text)
	_, err := translators.ParseCommand(x.Command, x.Mode)
	return withKnown(err)
}

// withKnown replaces the error of a command that has no place for the formula, if its program was
// probably meant to be a known translator, or a configuration.
func withKnown(err error) error {
	var bad *translators.CommandError
	if !errors.As(err, &bad) || !bad.NoFormula {
		return err
	}
	program, _, _ := strings.Cut(bad.Text, " ")
	if strings.HasSuffix(program, ".toml") {
		return fmt.Errorf("%q is not the command of a translator%s", program, spelling.DidYouMean("-c "+program))
	}
	var names []string
	for _, s := range configs.Shorthands() {
		if s.Translates() {
			names = append(names, s.Name)
		}
	}
	// The name of a known program lacks only its arguments.
	if near := spelling.Nearest(program, names); near != "" && near != program {
		return fmt.Errorf("unknown translator %q%s", program, spelling.DidYouMean(near))
	}
	return err
}

// only returns the tools with some names.
func only(tools []*translators.Tool, wanted []string) ([]*translators.Tool, error) {
	if len(wanted) == 0 {
		return tools, nil
	}
	names := namesOf(tools)
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("--only %q%s", name, spelling.Of(name, names))
		}
	}
	return slices.DeleteFunc(tools, func(t *translators.Tool) bool { return !slices.Contains(wanted, t.Name) }), nil
}

// chooseForAutomata returns the tools of a plan for automata. Without commands, it takes our own constructions.
func (p *Plan) chooseForAutomata(c *Choice) (tools []*translators.Tool, err error) {
	add := func(flag, text, complete string, mode translators.Mode) {
		tool, failed := newTool(configs.Translator{Command: complete, Mode: mode}, p.Config.Limits, translators.ParseAutomatonCommand)
		if failed != nil {
			err = errors.Join(err, failed)
			return
		}
		if complete != text { // it is called as it was given, as by autcross
			name, line := translators.SplitName(text)
			tool.Name = cmp.Or(name, line)
		}
		if flag != "" {
			tool.Origin = flag + " " + translators.Quote(text)
		}
		tools = append(tools, tool)
	}
	for _, text := range c.Commands {
		add("-t", text, configs.CompleteAutomaton(text), translators.Spawn)
	}
	for _, text := range c.Streams {
		add("--stream", text, text, translators.Stream)
	}
	if len(c.Commands)+len(c.Streams) == 0 {
		for _, text := range ownConstructions(p.Automata.Complemented) {
			_, arguments := translators.SplitName(text)
			program := strings.ReplaceAll(translators.Quote(version.Program), "%", "%%")
			add("", text, program+" "+arguments, translators.Spawn)
		}
	}
	rename(tools) // one command may be given twice
	return tools, err
}

// newTools returns the tools for translators. Limits hold for those that have none of their own. Their names are
// unique: where two are the same, the second one gets a number. The error reports a command that is none.
func newTools(list []configs.Translator, limits configs.Limits) (tools []*translators.Tool, err error) {
	for _, x := range list {
		tool, err := newTool(x, limits, translators.ParseCommand)
		if err != nil {
			return nil, err
		}
		tools = append(tools, tool)
	}
	rename(tools)
	return tools, nil
}

// rename gives a number to the name of each tool that is the name of one before it: the same command twice is
// allowed, but reports must tell them apart. The new name differs from the names of all other tools.
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

// newTool returns the tool of a translator, whose command parse reads.
func newTool(x configs.Translator, limits configs.Limits, parse func(string, translators.Mode) (*translators.Command, error)) (*translators.Tool, error) {
	text := x.Command
	if x.Builtin != "" {
		// The equivalent command line, for reports.
		if text = "xcheck translate --algorithm " + x.Builtin; x.Mode == translators.Spawn {
			text += " %f"
		} else {
			text += " -F -"
		}
	}
	command, err := parse(text, x.Mode)
	if err != nil {
		return nil, err
	}
	tool := &translators.Tool{
		Name: x.Name, Command: command, Mode: x.Mode, Syntax: x.Syntax, Processes: x.Processes,
		Limits: translators.Limits{
			Timeout:      cmp.Or(x.Timeout, limits.Timeout),
			CPU:          cmp.Or(x.CPU, limits.CPU),
			MaxOutput:    cmp.Or(x.MaxOutput, limits.MaxOutput),
			Memory:       cmp.Or(x.Memory, limits.Memory),
			AddressSpace: cmp.Or(x.AddressSpace, limits.AddressSpace),
			OpenFiles:    cmp.Or(x.OpenFiles, limits.OpenFiles),
		},
		Without:  x.Without | command.Without(),
		CleanEnv: x.CleanEnv, Options: x.Options, Reference: x.Reference, Relabel: x.Relabel,
		VersionFlag: x.VersionFlag, Words: configs.ShorthandOf(text).Words(),
	}
	if x.Builtin != "" {
		tool.Syntax = ltl.Spot // as Builtin reads it
		if a, err := translate.ParseAlgorithm(x.Builtin); err == nil && !a.PSL {
			tool.Without |= ltl.PSLOps
		}
		tool.Builtin = func(ctx context.Context, in string, out io.Writer) error {
			store := ltl.NewStore()
			f, err := store.Parse(in, ltl.Spot)
			if err != nil {
				return err
			}
			a, err := translate.With(ctx, x.Builtin, store, f)
			if err != nil {
				return err
			}
			return hoa.Write(ctx, out, a)
		}
	}
	if _, own := x.CutSelf(); own || tool.Builtin != nil {
		tool.Version = version.Own()
	}
	if x.Format != "auto" { // an empty format is recognized from the output
		tool.Format = x.Format
	}
	tool.Name = strings.ToValidUTF8(cmp.Or(tool.Name, command.Name()), "\uFFFD") // as histories and JSON have it
	for k, v := range x.Env {
		tool.Env = append(tool.Env, k+"="+v)
	}
	return tool, nil
}

// ownConstructions are the commands of xcheck that are checked if no tool is given, each with its name.
func ownConstructions(complements bool) []string {
	if complements {
		return []string{"{complement} complement -", "{determinization} complement --algorithm determinization -"}
	}
	return []string{"{buchi} convert --buchi -", "{state-based} convert --state-based -",
		"{deterministic} convert --deterministic -", "{complete} convert --complete -"}
}

// CheckTools finds out which tools of a plan can be started. If some can't, that is an error that says which
// and why, unless ignore is set: then they are left out, and become those that are missing.
func (p *Plan) CheckTools(ctx context.Context, ignore bool) error {
	reasons := make([]string, len(p.Tools))
	var asked errgroup.Group
	asked.SetLimit(runtime.GOMAXPROCS(0)) // each may start a shell, or the tool itself
	for i, tool := range p.Tools {
		asked.Go(func() error {
			reasons[i] = tool.Missing(ctx) // each goroutine has its own element
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

// setOptions gives tools the options, syntaxes and formats of the choice. Those that are built in have none.
func (c *Choice) setOptions(tools []*translators.Tool, builtin map[string]bool) error {
	// each calls set for the tool that each text of a flag names, with the value and where that begins.
	each := func(flag string, texts []string, set func(t **translators.Tool, value string, at int) error) error {
		for _, text := range texts {
			name, value, ok := cutName(tools, text)
			i := slices.IndexFunc(tools, func(t *translators.Tool) bool { return t.Name == name })
			var err error
			switch {
			case !ok:
				err = fmt.Errorf("expected NAME=…, with the name of a translator: one of %s", strings.Join(namesOf(tools), ", "))
			case builtin[name]:
				err = errors.New("a built-in translator has no options")
			default:
				err = set(&tools[i], value, len(text)-len(value))
			}
			if err != nil {
				return fmt.Errorf("%s %q: %w", flag, text, err)
			}
		}
		return nil
	}
	return cmp.Or(
		each("--options", c.Options, func(t **translators.Tool, value string, at int) error {
			group, err := translators.ParseOptionGroup(value)
			groups := []translators.OptionGroup{group}
			if value == "all" {
				groups, err = configs.ShorthandOf((*t).Command.Text()).OptionGroups((*t).Name)
			}
			if bad, ok := errors.AsType[*translators.CommandError](err); ok {
				return fmt.Errorf("at %d: %s", at+bad.Offset+1, bad.Reason)
			}
			(*t).Format = ""                                             // an option may change it, as ltl3ba -H3 does
			(*t).Options = append(slices.Clone((*t).Options), groups...) // the configuration may own the slice
			return err
		}),
		each("--with-options", c.With, func(t **translators.Tool, value string, _ int) (err error) {
			var options []string // NAME= stands for no options at all
			if strings.TrimSpace(value) != "" {
				options = []string{value}
			}
			(*t).Format = ""
			*t, err = (*t).With(options)
			return err
		}),
		each("--tool-syntax", c.Syntaxes, func(t **translators.Tool, value string, _ int) (err error) {
			if len((*t).Command.Syntaxes()) > 0 {
				return errors.New("the command says it with %f, %s, %l or %w")
			}
			if (*t).Syntax, err = ltl.ParseSyntax(value); (*t).Syntax == ltl.Auto && err == nil {
				err = errors.New("expected one of spot, spin, lbt, wring")
			}
			return err
		}),
		each("--tool-format", c.Formats, func(t **translators.Tool, value string, _ int) error {
			(*t).Format = value
			return new(configs.Translator).SetFormat(value)
		}),
	)
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

// A Known is a translator that a short name stands for.
type Known struct {
	Name    string   `json:"name"`    // name of the translator, for tool = in a configuration
	Command string   `json:"command"` // the command that is run
	Mode    string   `json:"mode"`    // the mode: "spawn", "stream" or "batch"
	Format  string   `json:"format"`  // the format of the output
	Without []string `json:"without"` // operators that it is run without
	// path of the program; missing if it is not on PATH
	Path string `json:"path,omitempty"`
	// version of the translator; missing if it is not known
	Version string `json:"version,omitempty"`

	Lacks  ltl.OpSet          `json:"-"` // Without as a set
	Limits translators.Limits `json:"-"` // of a tool of a plan
}

// KnownTranslators returns the translators that have short names, each with the path and the
// version of its program, if it is there.
func KnownTranslators(ctx context.Context) ([]*Known, error) {
	var all []configs.Translator
	for _, s := range configs.Shorthands() {
		if s.Translates() {
			all = append(all, s.Translator(s.Mode))
		}
	}
	tools, err := newTools(all, configs.Limits{})
	if err != nil {
		return nil, err
	}
	list := (&Plan{Tools: tools}).Known(ctx)
	for i, k := range list {
		for _, syntax := range tools[i].Command.Syntaxes() {
			k.Lacks |= syntax.Missing()
		}
		k.Without = operators(k.Lacks)
		if rest, own := all[i].CutSelf(); own {
			k.Command, k.Path = "xcheck"+rest, version.Program
		} else if configs.ShorthandOf(k.Command).Program() == "" {
			k.Path = "" // the path of java, say, tells nothing about the tool
		}
	}
	return list, nil
}

// operators returns the operators of a set, as a configuration names them; never nil: [] in JSON.
func operators(set ltl.OpSet) []string {
	list := []string{}
	for op := ltl.OpFalse; op <= ltl.OpSuffixImplication; op++ {
		if set.Has(op) {
			list = append(list, op.String())
		}
	}
	return list
}

// Known returns the tools of the plan as translators that are listed, in its order.
func (p *Plan) Known(ctx context.Context) []*Known {
	p.askVersions(ctx)
	var list []*Known
	for _, tool := range p.Tools {
		k := &Known{Name: tool.Name, Command: tool.Command.Text(), Mode: tool.Mode.String(), Format: cmp.Or(tool.Format, "auto"),
			Without: operators(tool.Without), Lacks: tool.Without, Version: tool.Version, Limits: tool.Limits}
		if program := tool.Command.Program(); program != "" && tool.Builtin == nil {
			// A program that is not found has no path.
			k.Path, _ = exec.LookPath(program)
		}
		list = append(list, k)
	}
	return list
}
