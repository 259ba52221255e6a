package report

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A pageWord is a word on which automata are wrong.
type pageWord struct {
	Kind, Word, About, Truth string
	General, Prefix          string // as of a disagreement
	Settled                  string // what Prefix is: "bad prefix: …"
	Automaton                bool   // the input is an automaton, and has no negation
	Answers                  []pageAnswer
	Runs                     []*pageRun
	RunsLeft                 int
	Table                    *outcome.TruthTable
}

// A pageAnswer is what the automata of a translator say of a word.
type pageAnswer struct {
	Name              string
	Formula, Negation string
	WrongP, WrongN    bool
}

// A pageRun explains an answer.
type pageRun struct {
	*outcome.Explanation
	Names   string
	Right   bool // it is the answer of an automaton on the other side
	Steps   []pageStep
	LeftOut int

	Picture   template.HTML
	Edges     []diagramRow // where there is no picture
	EdgesLeft int
	Part      string // what is not drawn
	Missing   string // why there is no picture, nor edges
	Condition string

	diagram *diagram
}

type pageStep struct {
	N                                                     int
	At, Letter, Edge, Marks, Name, Obligation, Group, End string
}

func newPageWord(c *outcome.Case, d *outcome.Disagreement, of func(outcome.Subject) bool) *pageWord {
	w := &pageWord{Kind: string(d.Kind), Word: d.Word, About: wordAbout(d.Word, d.Size, d.Shortest), General: d.General, Prefix: d.Prefix, Settled: settled(d), Table: d.Table}
	if w.Automaton = c.Automaton != nil; w.Automaton {
		w.Truth = fmt.Sprintf("the input %s it", says(d.Truth))
	} else {
		w.Truth = satisfies(d.Truth)
	}
	answers, wrong := answersOf(nil, d)
	for _, a := range d.Accepts {
		if !slices.ContainsFunc(w.Answers, func(x pageAnswer) bool { return x.Name == a.Translator }) {
			formula, negation := outcome.Subject{Translator: a.Translator}, outcome.Subject{Translator: a.Translator, Polarity: outcome.Negation}
			w.Answers = append(w.Answers, pageAnswer{a.Translator, answers[formula], answers[negation], wrong[formula], wrong[negation]})
		}
	}
	for i := range d.Explanations {
		e := &d.Explanations[i]
		if len(e.Automata) > 0 && !slices.ContainsFunc(e.Automata, of) {
			continue
		}
		if len(w.Runs) == groupRuns {
			w.RunsLeft++
			continue
		}
		w.Runs = append(w.Runs, newPageRun(c, d, e))
	}
	if d.Opposite != nil && len(w.Runs) > 0 {
		r := newPageRun(c, d, d.Opposite)
		r.Right = true
		w.Runs = append(w.Runs, r)
	}
	return w
}

func newPageRun(c *outcome.Case, d *outcome.Disagreement, e *outcome.Explanation) *pageRun {
	r := &pageRun{Explanation: e, diagram: newDiagram(e, d.Word)}
	var names []string
	for _, s := range e.Automata {
		names = append(names, subjectName(s, c))
	}
	r.Names = strings.Join(names, "; ")
	if e.Run != nil {
		r.steps()
	}
	return r
}

// steps lists the steps of the run, or some of many.
func (r *pageRun) steps() {
	run := r.Run
	n := len(run.Prefix) + len(run.Cycle)
	for i := range n {
		if n > groupSteps && i >= groupSteps/2 && i < n-groupSteps/2 {
			r.LeftOut++
			continue
		}
		s := run.At(i)
		step := pageStep{N: i + 1, At: starred(i, i >= len(run.Prefix)), Letter: s.Letter, Edge: fmt.Sprintf("%d → %d", s.State, s.To),
			Marks: marksText(s.Marks), Name: s.Named(), Obligation: s.Obligation, Group: partOf(run, i)}
		r.Steps = append(r.Steps, step)
	}
	if run.End != nil {
		letter := ""
		if r.diagram != nil {
			letter = r.diagram.missing
		}
		r.Steps = append(r.Steps, pageStep{N: n + 1, At: strconv.Itoa(n + 1), Letter: letter, Edge: fmt.Sprintf("%d stuck", *run.End), Obligation: run.Obligation, Group: "stuck"})
	}
}

// Named reports whether some state of the run has a name.
func (r *pageRun) Named() bool {
	return slices.ContainsFunc(r.Steps, func(s pageStep) bool { return s.Name != "" })
}

// Marked reports whether some edge of the run has a mark.
func (r *pageRun) Marked() bool {
	return slices.ContainsFunc(r.Steps, func(s pageStep) bool { return s.Marks != "" })
}

// Obliged reports whether it is known what must hold from some step.
func (r *pageRun) Obliged() bool {
	return slices.ContainsFunc(r.Steps, func(s pageStep) bool { return s.Obligation != "" })
}

// complete says what there is instead of a picture, and what is not in it.
func (r *pageRun) complete() {
	d := r.diagram
	if d == nil {
		r.Missing = "The automaton is too large to show."
		if r.HOA != "" {
			r.Missing = "The stored automaton is not the one that this run used."
		}
		return
	}
	if d.automaton.NumStates() == 0 {
		r.Missing = "The automaton has no states."
		return
	}
	r.Condition = d.automaton.Acceptance().String()
	r.Part = d.about()
	if r.Picture == "" {
		r.Edges, r.EdgesLeft = d.rows()
	}
}
