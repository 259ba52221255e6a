package translators

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An Automaton is an input for tools, in the formats that they read. Each format is written
// once. Any number of goroutines may use it.
type Automaton struct {
	mu        sync.Mutex
	automaton *omega.Automaton
	toBuchi   func(context.Context, *omega.Automaton, omega.Limits) (*omega.Automaton, error)
	texts     map[form]written
}

// A form is a placeholder, in lower case, and whether the propositions are called p0, p1, …
type form struct {
	placeholder byte
	renamed     bool
}

type written struct {
	text string
	err  error
}

// NewAutomaton returns an Automaton for tools. Those that read only Büchi automata get an equivalent
// one. While tools use it, nobody else may use a or its alphabet.
func NewAutomaton(a *omega.Automaton) *Automaton {
	return &Automaton{automaton: a, toBuchi: complement.Form{Buchi: true, StateBased: true}.Apply, texts: map[form]written{}}
}

// Bounds of the conversion of an automaton to a format.
const (
	conversionStates = 10_000
	conversionTime   = 10 * time.Second
)

// text returns the automaton in a form. The error says why it can't be written in that.
func (a *Automaton) text(ctx context.Context, f form) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	w, ok := a.texts[f]
	if !ok {
		var b strings.Builder
		automaton := a.automaton
		if f.renamed {
			automaton = automaton.Renamed(func(p string) string { return "p" + strconv.Itoa(slices.Index(a.automaton.Alphabet().Props(), p)) })
		}
		w.err = a.write(ctx, &b, automaton, f.placeholder)
		w.text = strings.TrimSuffix(b.String(), "\n")
		// A context that is done says nothing about the automaton.
		if ctx.Err() == nil {
			a.texts[f] = w
		}
	}
	return w.text, w.err
}

func (a *Automaton) write(ctx context.Context, b *strings.Builder, automaton *omega.Automaton, placeholder byte) error {
	within, cancel := context.WithTimeout(ctx, conversionTime)
	defer cancel()
	format, write := "never claim", hoa.WriteNever
	switch placeholder {
	case 'h':
		format, write = "automaton in HOA", hoa.Write
	case 'l':
		format, write = "automaton in LBTT's format", hoa.WriteLBTT
	}
	err := write(within, b, automaton)
	// These formats have neither alternation nor other conditions.
	if errors.Is(err, omega.ErrAlternating) || errors.As(err, new(*hoa.AcceptanceError)) {
		var converted *omega.Automaton
		if converted, err = a.toBuchi(within, automaton, omega.Limits{Macrostates: conversionStates}); err == nil {
			err = write(within, b, converted)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = fmt.Errorf("time limit of %v", conversionTime)
	}
	if err != nil {
		return fmt.Errorf("cannot write the automaton as %s: %w", format, err)
	}
	return nil
}

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
	return t.ask(ctx, r, q, err)
}

// TransformAlone is Transform with a process that gets no other automaton, in any mode.
func (t *Tool) TransformAlone(ctx context.Context, r *Runner, a *Automaton) (*Output, error) {
	q, err := t.given(ctx, a)
	return t.alone(ctx, r, q, err)
}

// given prepares an automaton as a question. The error says why the tool can't be given
// the automaton.
func (t *Tool) given(ctx context.Context, a *Automaton) (*question, error) {
	name := a.name(t.Command)
	q := &question{about: "an automaton", texts: map[byte]string{'m': name}, reading: t.Limits.withDefaults().Timeout,
		alphabet: a.automaton.Alphabet()}
	if name != "" {
		q.about = "automaton " + name
	}
	err := q.writeAutomaton(ctx, a, t.inputs(), false)
	if errors.As(err, new(*hoa.PropositionError)) { // as for a formula, all are renamed
		q.original = map[string]string{}
		for i, p := range a.automaton.Alphabet().Props() {
			q.original["p"+strconv.Itoa(i)] = p
		}
		err = q.writeAutomaton(ctx, a, t.inputs(), true)
	}
	return q, err
}

func (q *question) writeAutomaton(ctx context.Context, a *Automaton, inputs []byte, renamed bool) (err error) {
	for _, p := range inputs {
		if q.texts[p], err = a.text(ctx, form{p, renamed}); err != nil {
			return err
		}
	}
	return nil
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
// The error is a *CommandError.
func ParseAutomatonCommand(text string, mode Mode) (*Command, error) {
	return (&Command{text: text, automata: true}).ready(mode)
}
