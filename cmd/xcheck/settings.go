package main

import (
	"fmt"

	"github.com/spf13/pflag"
)

// settings are flags that override parts of a C, such as the configuration, which is known only
// after all flags are read. Flags that are not given do not change it.
type settings[C any] struct {
	flags *pflag.FlagSet
	all   bool // those that are not given set their defaults
	list  []func(*C) error
}

// override lets the flags that are given override c.
func (s *settings[C]) override(c *C) error {
	for _, set := range s.list {
		if err := set(c); err != nil {
			return err
		}
	}
	return nil
}

// bind makes a flag, which has a variable for its value, a setting.
func bind[C, V any](s *settings[C], name string, value *V, set func(*C, V) error) {
	s.list = append(s.list, func(c *C) error {
		if !s.all && !s.flags.Changed(name) {
			return nil
		}
		return set(c, *value)
	})
}

// parsed adds a flag with a text that parse reads. Help shows a default, which nothing parses. It
// returns the variable for the text.
func parsed[C, V any](s *settings[C], name, short, shown, about string,
	parse func(string) (V, error), key func(*C) *V) *string {
	value := s.text(name, short, shown, about)
	bind(s, name, value, func(c *C, text string) error {
		v, err := parse(text)
		if err != nil {
			return fmt.Errorf("--%s: %w", name, err)
		}
		*key(c) = v
		return nil
	})
	return value
}

// word adds a flag with a text that is not changed.
func (s *settings[C]) word(name, shown, about string, key func(*C) *string) {
	parsed(s, name, "", shown, about, func(text string) (string, error) { return text, nil }, key)
}

// text adds a flag with a text, and returns the variable for its value.
func (s *settings[C]) text(name, short, shown, about string) *string {
	text := s.flags.StringP(name, short, "", about)
	s.flags.Lookup(name).DefValue = shown
	return text
}

// file adds a flag for a name, "" for no file.
func (s *settings[C]) file(name, about string, key func(*C) *string) {
	bind(s, name, s.flags.String(name, "", about), func(c *C, text string) error {
		*key(c) = text
		return nil
	})
}

// number adds a flag for a number from 0 on.
func (s *settings[C]) number(name, short string, shown int, about string, key func(*C) *int) {
	bind(s, name, s.flags.IntP(name, short, shown, about), func(c *C, n int) error {
		if n < 0 {
			return atLeast(name, n, 0)
		}
		*key(c) = n
		return nil
	})
}

// either adds a flag that makes something true or, with =false, false.
func (s *settings[C]) either(name, about string, key func(*C) *bool) {
	bind(s, name, s.flags.Bool(name, false, about), func(c *C, on bool) error {
		*key(c) = on
		return nil
	})
}

// orNone lets 0 stand for none in a text that parse reads.
func orNone[V any](parse func(string) (V, error)) func(string) (V, error) {
	return func(text string) (none V, err error) {
		if text == "0" {
			return none, nil
		}
		return parse(text)
	}
}
