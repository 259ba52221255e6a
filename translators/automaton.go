package translators

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/convert"
)

// An Automaton is an input for tools, in the formats that they read. Each format is written
// once. Any number of goroutines may use it.
type Automaton struct {
	mu        sync.Mutex
	automaton *omega.Automaton
	toBuchi   ToBuchi
	texts     map[byte]written // by the placeholder, in lower case
}

type written struct {
	text string
	err  error
}

// A ToBuchi returns a Büchi automaton with the language of a, of at most limit states, and if
// onStates is set with marks on states: complement.ToBuchi.
type ToBuchi func(ctx context.Context, a *omega.Automaton, onStates bool, limit int) (*omega.Automaton, error)

// NewAutomaton returns an Automaton for tools. Those that read only Büchi automata get what
// toBuchi returns. While tools use it, nobody else may use a or its alphabet.
func NewAutomaton(a *omega.Automaton, toBuchi ToBuchi) *Automaton {
	return &Automaton{automaton: a, toBuchi: toBuchi, texts: map[byte]written{}}
}

// Bounds of the conversion of an automaton to a format that has only Büchi acceptance.
const (
	conversionStates = 10_000
	conversionTime   = 10 * time.Second
)

// text returns the automaton in the format of a placeholder. The error says why it
// can't be written in that.
func (a *Automaton) text(ctx context.Context, placeholder byte) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	w, ok := a.texts[placeholder]
	if !ok {
		var b strings.Builder
		w.err = a.write(ctx, &b, placeholder)
		w.text = strings.TrimSuffix(b.String(), "\n")
		if ctx.Err() == nil {
			a.texts[placeholder] = w
		}
	}
	return w.text, w.err
}

func (a *Automaton) write(ctx context.Context, b *strings.Builder, placeholder byte) error {
	if placeholder == 'h' {
		return hoa.Write(ctx, b, a.automaton)
	}
	ctx, cancel := context.WithTimeout(ctx, conversionTime)
	defer cancel()
	format, write, fits := "never claim", hoa.WriteNever, hasBuchi
	if placeholder == 'l' {
		format, write, fits = "automaton in LBTT's format", hoa.WriteLBTT, omega.Acceptance.IsGeneralizedBuchi
	}
	converted := a.automaton
	var err error
	if converted.Alternating() || !fits(converted.Acceptance()) {
		converted, err = a.toBuchi(ctx, converted, true, conversionStates)
	}
	if err == nil {
		converted, err = convert.OneStart(converted)
	}
	if err == nil {
		err = write(ctx, b, converted)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("time limit of %v", conversionTime)
	}
	if err != nil {
		return fmt.Errorf("cannot write the automaton as %s: %w", format, err)
	}
	return nil
}

func hasBuchi(a omega.Acceptance) bool { return a.Name() == "Buchi" || a.Name() == "all" }

// name is what %M stands for.
func (a *Automaton) name(c *Command) string {
	if a.automaton.Name != "" {
		return a.automaton.Name
	}
	return c.unnamed
}

// Transform gives an automaton to the tool, and reads the automaton that it prints. The
// command comes from [ParseAutomatonCommand]. The error is xcheck's own, or ctx is done; what
// the tool does wrong is in the Output.
func (t *Tool) Transform(ctx context.Context, r *Runner, a *Automaton) (*Output, error) {
	q, err := t.given(ctx, a)
	if err != nil {
		return skipped(err), ctx.Err()
	}
	return t.ask(ctx, r, q)
}

// TransformAlone is Transform with a process that gets no other automaton, in any mode.
func (t *Tool) TransformAlone(ctx context.Context, r *Runner, a *Automaton) (*Output, error) {
	q, err := t.given(ctx, a)
	if err != nil {
		return skipped(err), ctx.Err()
	}
	return t.alone(ctx, r, q)
}

// given prepares an automaton as a question. The error says why the tool can't be given
// the automaton.
func (t *Tool) given(ctx context.Context, a *Automaton) (*question, error) {
	name := a.name(t.Command)
	q := &question{about: "an automaton", texts: map[byte]string{'m': name}, reading: t.Limits.withDefaults().Timeout}
	if name != "" {
		q.about = "automaton " + name
	}
	for _, placeholder := range t.inputs() {
		text, err := a.text(ctx, placeholder)
		if err != nil {
			return nil, err
		}
		q.texts[placeholder] = text
	}
	return q, nil
}

// ParseAutomatonCommand reads the template of a command that takes an automaton, as autcross
// does:
//
//	{name} autfilt --complement %H > %O
//
// The placeholders are
//
//	%H %S %L    a file with the automaton, in HOA, as a never claim of Spin, or in LBTT's format
//	%M          the name of the automaton, quoted
//	%[text]M    the same, or text if the automaton has no name
//	%O %%       as in [ParseCommand]
//
// Without %H, %S and %L, the automaton is on standard input, in HOA. An automaton without
// Büchi acceptance (for LBTT, generalized Büchi) is converted first.
//
// In mode Batch, the file holds many automata, one after the other. The error is a
// *CommandError.
func ParseAutomatonCommand(text string, mode Mode) (*Command, error) {
	c := &Command{text: text, automata: true}
	bad := c.parse()
	if bad == nil {
		bad = c.suitAutomata(mode)
	}
	if bad == nil {
		bad = c.misquoted()
	}
	if bad != nil {
		return nil, bad
	}
	c.simple = parseSimple(c.parts)
	return c, nil
}

// automatonPlaceholder returns the one at a percent sign, and where it ends.
func (c *Command) automatonPlaceholder(at int) (p byte, end int, bad *CommandError) {
	i := at + 1
	otherwise := ""
	brackets := strings.HasPrefix(c.text[i:], "[")
	if brackets {
		n := strings.IndexByte(c.text[i:], ']')
		if n < 0 {
			return 0, 0, c.fail(i, "the '[' of a placeholder is not closed")
		}
		otherwise = c.text[i+1 : i+n]
		i += n + 1
	}
	switch {
	case i == len(c.text) && brackets:
		return 0, 0, c.fail(i, "expected M after the brackets")
	case i == len(c.text):
		return 0, 0, c.fail(at, "'%%' at the end: write %%%% for a percent sign")
	case brackets && c.text[i] != 'M':
		return 0, 0, c.fail(i, "expected M after the brackets")
	case brackets && c.unnamed != "" && c.unnamed != otherwise:
		return 0, 0, c.fail(at, "the command uses both %s and %s for an automaton without a name: use one", c.unnamed, otherwise)
	case strings.IndexByte("HSLMO%", c.text[i]) < 0:
		return 0, 0, c.unknown(at, i, "%%H %%S %%L %%M %%O %%%%")
	}
	if brackets {
		c.unnamed = otherwise
	}
	return c.text[i], i + 1, nil
}

// suitAutomata checks that the placeholders are those of a mode.
func (c *Command) suitAutomata(mode Mode) *CommandError {
	file := byte(0)
	for _, p := range c.parts[:len(c.parts)-1] {
		switch {
		case mode == Spawn:
		case p.placeholder == 'O':
			return c.fail(p.at, "%s mode reads automata from standard output: remove the output file, or use spawn mode", mode)
		case p.placeholder == 'M':
			return c.fail(p.at, "a process in %s mode gets many automata: remove %%M, or use spawn mode", mode)
		case mode == Stream:
			return c.fail(p.at, "stream mode writes automata to standard input: remove %%%c, or use spawn mode", p.placeholder)
		case file != 0 && file != p.placeholder:
			return c.fail(p.at, "batch mode writes one file of automata: use either %%%c or %%%c", file, p.placeholder)
		default:
			file = p.placeholder
		}
	}
	return nil
}
