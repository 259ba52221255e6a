package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/translators"
)

// setOptions gives tools the options of the choice. Those that are built in have none.
func (c *Choice) setOptions(tools []*translators.Tool, builtin map[string]bool) error {
	find := func(flag, text string) (i int, value string, err error) {
		name, value, ok := cutName(tools, text)
		i = slices.IndexFunc(tools, func(t *translators.Tool) bool { return t.Name == name })
		switch {
		case !ok:
			err = fmt.Errorf("%s %q: expected NAME=…, with the name of a translator: one of %s", flag, text, namesOfTools(tools))
		case builtin[name]:
			err = fmt.Errorf("%s %q: a built-in translator has no options", flag, text)
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

func namesOfTools(tools []*translators.Tool) string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

// optionGroups returns the group with a text, or all that are known of a tool.
func optionGroups(t *translators.Tool, text string) ([]translators.OptionGroup, error) {
	if text == "all" {
		return configs.KnownOptions(t.Name, t.Command.Text())
	}
	group, err := translators.ParseOptionGroup(text)
	return []translators.OptionGroup{group}, err
}
