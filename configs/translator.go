package configs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// SetFormat sets the format that the translator prints, by its name, or "auto".
func (t *Translator) SetFormat(name string) error {
	if list := toolFormats(); !slices.Contains(list, name) {
		return fmt.Errorf("unknown format %q%s", name, spelling.Of(name, list))
	}
	t.Format = name
	return nil
}

// toolFormats returns the names of formats that translators may print, and auto.
func toolFormats() []string {
	list := []string{"auto"}
	for _, f := range hoa.Formats() {
		if f.Readable() {
			list = append(list, f.Name)
		}
	}
	return list
}

// translator takes an element of the translators.
func (t *table) translator() Translator {
	x, tool := t.command()
	set(t, "name", &x.Name)
	formats := toolFormats()
	if i := t.oneOf("format", "format", formats); i >= 0 {
		x.Format = formats[i]
	}
	t.syntax(&x.Syntax)
	t.integer("processes", 1, 10000, &x.Processes)
	// Limits of one translator are read as the general ones are, into a Config of its own.
	own := &Config{}
	for i := range settings {
		if s := &settings[i]; s.own != "" {
			t.take(s.own, s, s.at(own))
		}
	}
	x.Limits = own.Limits.Limits
	t.environment(&x)
	set(t, "clean-env", &x.CleanEnv)
	set(t, "reference", &x.Reference)
	t.without(&x)
	set(t, "relabel", &x.Relabel)
	t.options(&x, tool)
	set(t, "version-flag", &x.VersionFlag)
	t.end()
	return x
}

// command takes the keys that say what is run, and how: tool, command, builtin and
// mode. It returns the known tool that this is, or nil.
func (t *table) command() (Translator, *Shorthand) {
	var names []string
	for _, s := range shorthands() {
		names = append(names, s.Name)
	}
	var tool *Shorthand
	if i := t.oneOf("tool", "tool", names); i >= 0 {
		tool = &shorthands()[i]
	}
	x := Translator{Format: "auto"}
	set(t, "command", &x.Command)
	set(t, "builtin", &x.Builtin)
	mode := t.oneOf("mode", "mode", namesOf(translators.Modes()))
	if mode >= 0 {
		x.Mode = translators.Modes()[mode]
	} else if x.Builtin != "" {
		x.Mode = translators.Stream
	}
	written := t.values["command"] != nil
	if t.values["tool"] == nil && !written && t.values["builtin"] == nil {
		t.d.errs.add(t.path, atValue, noCommand)
	}
	x.Name = x.defaultName()
	if tool != nil {
		x.Name, x.Format, x.Without = tool.Name, tool.Format, tool.Without
	}
	switch {
	case tool != nil && !written:
		x = t.shorthand(tool, tool.Name, x)
	case written:
		// A command that can be completed belongs to the tool that is named, whatever its program is called.
		if _, ok := completable(x.Command); !ok || tool == nil {
			tool = find(x.Command)
		}
		// With another mode, it may well be complete.
		if tool != nil && (mode < 0 || x.Mode == translators.Spawn) {
			x = t.shorthand(tool, x.Command, x)
		}
	}
	return x, tool
}

// options takes the groups of options, or "all" for the groups of a known tool.
func (t *table) options(x *Translator, tool *Shorthand) {
	if text, all := t.values["options"].(string); all {
		_, p, _ := get[string](t, "options")
		var err error
		if text != "all" {
			err = fmt.Errorf("expected \"all\" or an array of groups such as \"-B|-D\", found %q", text)
		} else {
			x.Options, err = tool.OptionGroups(x.Name)
		}
		if err != nil {
			t.d.errs.add(p, atValue, "%v", err)
		}
		return
	}
	t.strings("options", func(p path, text string) {
		group, err := translators.ParseOptionGroup(text)
		var bad *translators.CommandError
		if errors.As(err, &bad) {
			t.d.errs.add(p, bad.Offset, "%s", bad.Reason)
		}
		x.Options = append(x.Options, group)
	})
	if x.Builtin != "" && t.values["options"] != nil {
		t.d.errs.add(t.path.field("options"), atValue, "a builtin algorithm has no options")
	}
}

// OptionGroups returns the options of the tool. The error says that none are known for the
// translator called name; s may be nil.
func (s *Shorthand) OptionGroups(name string) (groups []translators.OptionGroup, err error) {
	if s == nil || len(s.Options) == 0 {
		var names []string
		for _, s := range shorthands() {
			if len(s.Options) > 0 {
				names = append(names, s.Name)
			}
		}
		return nil, fmt.Errorf("no options are known for %s: expected an array of groups such as \"-B|-D\", or one of the tools %s", name, strings.Join(names, ", "))
	}
	for _, text := range s.Options {
		group, err := translators.ParseOptionGroup(text)
		if err != nil {
			panic(err) // the list is ours
		}
		groups = append(groups, group)
	}
	return groups, nil
}

// shorthand fills in what a shorthand adds to a command.
func (t *table) shorthand(s *Shorthand, text string, x Translator) Translator {
	mode := s.Mode // the best one, unless the table asks for another
	if t.values["mode"] != nil {
		mode = x.Mode
	}
	if !s.Has(mode) {
		has := slices.DeleteFunc(translators.Modes(), func(m translators.Mode) bool { return !s.Has(m) })
		t.d.errs.add(t.path.field("mode"), atValue, "%s has no mode %s: expected %s", s.Name, mode, strings.Join(namesOf(has), " or "))
		mode = s.Mode // so that the rest can be checked, too
	}
	if s.Example != "" && text == s.Name {
		key := "tool"
		if t.values["command"] != nil {
			key = "command"
		}
		t.d.errs.add(t.path.field(key), atValue, "%s needs arguments: set the command, as in %q", s.Name, s.Example)
	}
	// Drawn options follow the command, unless it has a place for them.
	if t.values["options"] != nil && !strings.Contains(text, translators.OptionsPlace) {
		text += " " + translators.OptionsPlace
	}
	y := s.complete(text, mode)
	x.Command, x.Mode, x.Format, x.Without = y.Command, y.Mode, y.Format, y.Without
	return x
}

func (t *table) environment(x *Translator) {
	env, ok := t.table("env")
	if !ok {
		return
	}
	x.Env = make(map[string]string)
	for key := range env.values {
		if value, p, ok := get[string](env, key); ok {
			x.Env[key] = value
			if key == "" || strings.ContainsAny(key, "=\x00") || strings.Contains(value, "\x00") {
				t.d.errs.add(p, atKey, "not a valid environment variable")
			}
		}
	}
}

// without reads the operators that a translator lacks. "past" stands for all operators of the past,
// and "PSL" for all of PSL, as in the list of known translators.
func (t *table) without(x *Translator) {
	var names []string
	for op := ltl.OpFalse; op <= ltl.OpSuffixImplication; op++ {
		if op != ltl.OpProp {
			names = append(names, op.String())
		}
	}
	groups := map[string]ltl.OpSet{"past": ltl.PastOps, "PSL": ltl.PSLOps}
	names = append(names, "past", "PSL")
	if t.values["without"] != nil { // even an empty list replaces what is known of the tool
		x.Without = 0
	}
	t.strings("without", func(p path, text string) {
		if t.d.choose(p, text, "operator", names) < 0 {
			return
		}
		if group, ok := groups[text]; ok {
			x.Without |= group
			return
		}
		op, _ := ltl.ParseOp(text)
		x.Without = x.Without.With(op)
	})
}
