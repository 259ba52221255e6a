package configs

import (
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// translator takes an element of the translators.
func (t *table) translator() Translator {
	x := t.command()
	set(t, "name", &x.Name)
	t.name("format", "format", append([]string{"auto"}, t.d.schema.Formats...), &x.Format)
	t.syntax(&x.Syntax)
	t.integer("processes", 1, 10000, &x.Processes)
	t.toolLimits("", &x.Limits)
	t.environment(&x)
	set(t, "clean-env", &x.CleanEnv)
	set(t, "reference", &x.Reference)
	t.without(&x)
	set(t, "relabel", &x.Relabel)
	t.end()
	return x
}

// command takes the keys that say what is run, and how: tool, command, builtin and
// mode.
func (t *table) command() Translator {
	var names []string
	for _, s := range shorthands {
		names = append(names, s.Name)
	}
	var tool *Shorthand
	if i := t.oneOf("tool", "tool", names); i >= 0 {
		tool = &shorthands[i]
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
	case written && (mode < 0 || x.Mode == translators.Spawn):
		// With another mode, it may well be complete.
		s := tool
		if _, ok := completable(x.Command); !ok || s == nil {
			s = find(x.Command)
		}
		if s != nil {
			x = t.shorthand(s, x.Command, x)
		}
	}
	return x
}

// shorthand fills in what a shorthand adds to a command, in the mode that the table
// asks for, or else in the best one.
func (t *table) shorthand(s *Shorthand, text string, x Translator) Translator {
	mode := s.Mode
	if t.values["mode"] != nil {
		mode = x.Mode
	}
	if !s.Has(mode) {
		has := slices.DeleteFunc(translators.Modes(), func(m translators.Mode) bool { return !s.Has(m) })
		t.d.errs.add(t.path.field("mode"), atValue, "%s has no mode %s: expected %s", s.Name, mode, strings.Join(namesOf(has), " or "))
		mode = s.Mode
	}
	if s.Example != "" && text == s.Name {
		key := "tool"
		if t.values["command"] != nil {
			key = "command"
		}
		t.d.errs.add(t.path.field(key), atValue, "%s needs arguments: set the command, as in %q", s.Name, s.Example)
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

func (t *table) without(x *Translator) {
	var names []string
	for op := ltl.OpFalse; op <= ltl.OpTriggered; op++ {
		if op != ltl.OpProp {
			names = append(names, op.String())
		}
	}
	if t.values["without"] != nil {
		x.Without = 0
	}
	t.strings("without", func(p path, text string) {
		if i := t.d.choose(p, text, "operator", names); i >= 0 {
			op, _ := ltl.ParseOp(text)
			x.Without = x.Without.With(op)
		}
	})
}
