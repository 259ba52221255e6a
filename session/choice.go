package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Choice says which translators a run has besides its configuration, or which tools for automata.
type Choice struct {
	// Commands and References are commands of translators, as [configs.Complete] completes them.
	// References are known to be right.
	Commands, References []string
	// Streams and Batches are commands of tools for automata. A tool of Streams is started
	// once and gets one automaton after the other. A tool of Batches gets many at once.
	Streams, Batches []string
	Only             []string // the names of the tools to use; nil for all
	// NoBuiltin leaves out the built-in ones. NoFound leaves out those on PATH that nobody asked for. NoReference trusts none.
	NoBuiltin, NoFound, NoReference bool
	Relabel                         bool // gives all of them p0, p1, …
	// Options are NAME=GROUP: the translator called NAME draws from the options GROUP, too, or if
	// that is "all", from those that are known of it. With are NAME=OPTIONS: it has the options
	// OPTIONS, and draws none.
	Options, With []string
}

// Finds reports whether the translators on PATH are used, if no configuration names any.
func (c *Choice) Finds() bool { return !c.NoFound && len(c.Commands)+len(c.References) == 0 }

// Choose sets the tools of a plan: the translators of the configuration, and the translators of the
// choice. A configuration without translators stands for the built-in and found ones. If the inputs
// of the plan are automata, the tools come from the choice, or if it has none, they are our own
// constructions.
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
	p.Rerun.With = c.With
	p.asked = p.asked || len(c.Only) > 0
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
			if !x.OnDemand {
				add(configs.Translator{Name: x.Name, Builtin: x.Name, Mode: translators.Stream}, "")
			}
		}
		if c.Finds() {
			for _, x := range configs.Found() {
				add(x, "")
			}
		}
	}
	for _, text := range c.Commands {
		add(commandTranslator(text), "-t "+translators.Quote(text))
	}
	for _, text := range c.References {
		x := commandTranslator(text)
		x.Reference = true
		add(x, "--reference "+translators.Quote(text))
	}
	if len(list) == 0 {
		return nil, errors.New("no translators: add one with -t, or drop --no-builtin")
	}
	tools, err := Tools(list, p.Config.Limits)
	if err != nil {
		return nil, withKnown(err)
	}
	builtin := map[string]bool{}
	p.builtin = nil
	for i, tool := range tools {
		tool.Origin = origins[i]
		if builtin[tool.Name] = list[i].Builtin != ""; builtin[tool.Name] {
			p.builtin = append(p.builtin, tool.Name)
		}
	}
	return tools, c.setOptions(tools, builtin)
}

// aside returns the names of the built-in translators that nobody has asked for, if there are
// others.
func (p *Plan) aside() []string {
	if p.asked || len(p.builtin) == len(p.Tools) {
		return nil
	}
	return p.builtin
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
		names = append(names, s.Name)
	}
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

func (p *Plan) chooseForAutomata(c *Choice) (tools []*translators.Tool, err error) {
	add := func(flag, text, complete string, mode translators.Mode) {
		tool, failed := automatonTool(complete, mode, p.Config.Limits)
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
		tool.Unlisted = p.Automata.Unlisted
		tools = append(tools, tool)
	}
	for _, text := range c.Commands {
		add("-t", text, configs.CompleteAutomaton(text), translators.Spawn)
	}
	for _, text := range c.Streams {
		add("--stream", text, text, translators.Stream)
	}
	for _, text := range c.Batches {
		add("--batch", text, text, translators.Batch)
	}
	if len(c.Commands)+len(c.Streams)+len(c.Batches) == 0 {
		own, failed := ownTools(p.Automata.Complemented, p.Config.Limits)
		tools, err = append(tools, own...), errors.Join(err, failed)
	}
	rename(tools)
	return tools, err
}
