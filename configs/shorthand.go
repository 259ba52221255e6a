package configs

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Shorthand is a known tool: how to run it, and what it prints. In a file, tool =
// "spin" stands for it. A command without a percent sign, such as "ltl3ba -M0", is completed
// from the shorthand of its program.
type Shorthand struct {
	// Name is the name of the program, followed by the subcommand if it has several: "owl
	// ltl2dpa".
	Name string
	// Format is the format of the output, as in Translator.
	Format string
	// Without are the operators that it does not support. Past operators are left out if its
	// syntax has none.
	Without ltl.OpSet
	// Mode is its best mode.
	Mode translators.Mode
	// VersionFlag makes the program print its version; "" if unknown.
	VersionFlag string
	// Example is a command, if the tool needs arguments, or "".
	Example string

	// Options are groups of options that do not change the language of the automaton, as
	// translators.ParseOptionGroup takes them.
	Options []string

	// arguments are added in each mode that it has. Without any, it translates no formulas.
	arguments arguments
	// automaton is the argument with which xcheck aut gives it an automaton. A tool without one
	// reads it from standard input.
	automaton string
	// words of its grammar can't name propositions, nor can what does not look like goOn_2. If there
	// are none, it has Spot's parser, or the syntax of its placeholder says what can.
	words string
}

// xcheckTranslate is the shorthand for this program.
const xcheckTranslate = "xcheck translate"

// Shorthands returns all known tools: those that translate formulas, and those that only take automata.
func Shorthands() []Shorthand { return slices.Clone(known()) }

// ShorthandOf returns the known translator that a command runs, or nil.
func ShorthandOf(command string) *Shorthand {
	_, line := translators.SplitName(command)
	words, _ := split(line)
	return findWords(words)
}

// Translates reports whether the tool translates formulas.
func (s *Shorthand) Translates() bool { return len(s.arguments) > 0 }

// TakesAutomata reports whether CompleteAutomaton completes the tool.
func (s *Shorthand) TakesAutomata() bool { return s.automaton != "" }

// Words returns the words of the tool's grammar, as in translators.Tool, or nil.
func (s *Shorthand) Words() []string {
	if s == nil || s.words == "" {
		return nil
	}
	return strings.Fields(s.words)
}

// Has reports whether the tool supports a mode.
func (s *Shorthand) Has(mode translators.Mode) bool {
	_, ok := s.arguments[mode]
	return ok
}

// Program returns the name of the program in PATH, or "" for a tool that another program runs,
// or xcheck.
func (s *Shorthand) Program() string {
	program, _, _ := strings.Cut(s.Name, " ")
	if s.Name == xcheckTranslate || s.Example != "" && !strings.HasPrefix(s.Example, program) {
		return ""
	}
	return program
}

// line returns the command of which text is the start, in a mode that the tool has.
func (s *Shorthand) line(text string, mode translators.Mode) string {
	return strings.TrimRight(strings.TrimRight(text, " \t")+" "+s.arguments[mode], " ")
}

// Translator returns the tool in a mode, by its name alone, or by its example if it needs
// arguments.
func (s *Shorthand) Translator(mode translators.Mode) Translator {
	text := s.Name
	switch {
	case s.Example != "":
		text = s.Example
	case s.Name == xcheckTranslate:
		text = self() + " translate"
	}
	return Translator{Name: s.Name, Command: s.line(text, mode), Format: s.Format, Without: s.Without, Mode: mode}
}

// self returns the path of xcheck as a word of a command.
func self() string {
	return strings.ReplaceAll(translators.Quote(filepath.ToSlash(version.Program)), "%", "%%")
}

// CutSelf returns the arguments of the translator's command, with the space before them, if it runs xcheck,
// and whether it does.
func (t *Translator) CutSelf() (arguments string, ok bool) {
	arguments, ok = strings.CutPrefix(t.Command, self())
	return arguments, ok && strings.HasPrefix(arguments, " ")
}

// Complete completes a command without placeholders, if its program is the program of a
// [Shorthand]:
//
//	ltl3ba -M0                    ltl3ba -M0 -f %s
//	{small} bin/ltl2tgba -D       {small} bin/ltl2tgba -D -H -F -
//
// This is the rule of ltlcross. The name in braces and the folder are ignored. The program's
// name need only start with the shorthand's name, such as ltl2dstar-0.5.4. The additional
// arguments come last. For java -jar, the jar file counts as the program. The translator has
// the best mode of the tool. Its name is the one in braces, or the text.
//
// Complete ignores commands with more than a program and arguments.
func Complete(text string) (t Translator, ok bool) {
	s := find(text)
	if s == nil {
		return Translator{}, false
	}
	return s.complete(text, s.Mode), true
}

// complete is Complete for a mode that the tool has.
func (s *Shorthand) complete(text string, mode translators.Mode) Translator {
	name, rest := translators.SplitName(text)
	t := Translator{Name: name, Format: "auto", Without: s.Without, Mode: mode}
	if name == "" {
		t.Name = rest
	}
	if rest == s.Name || filepath.Base(rest) == s.Name {
		t.Format = s.Format // no arguments that could change it
	}
	if s.Name == xcheckTranslate {
		if more, ok := strings.CutPrefix(rest, "xcheck "); ok {
			rest = self() + " " + more // this program, wherever it is
		}
	}
	t.Command = s.line(rest, mode)
	if name != "" {
		t.Command = "{" + name + "} " + t.Command
	}
	return t
}

// CompleteAutomaton completes the command of a tool that takes automata, if it has no placeholder
// and its program is a known one that wants the automaton as an argument:
//
//	autfilt --complement          autfilt --complement %H
//
// It is the rule of autcross. Commands with more than a program and arguments stay as they are.
func CompleteAutomaton(text string) string {
	_, line := translators.SplitName(text)
	program, _, _ := strings.Cut(line, " ")
	if strings.Contains(strings.ReplaceAll(line, "%%", ""), "%") || strings.ContainsAny(line, "|<>;&") {
		return text
	}
	for i := range known() {
		if s := &known()[i]; s.automaton != "" && strings.HasPrefix(filepath.Base(program), s.Name) {
			return text + " " + s.automaton
		}
	}
	return text
}

// completable returns the words of a command without its name, if it can be completed:
// if it is nothing but a program and arguments, and has no placeholder.
func completable(text string) (words []string, ok bool) {
	_, line := translators.SplitName(text)
	plain := strings.NewReplacer(">&", "", "${", "", translators.OptionsPlace, "").Replace(line) // 2>&1, ${HOME}
	words, closed := split(line)
	return words, closed && !strings.ContainsAny(plain, "|;&(){`#\n\\") && !strings.ContainsAny(text, "%\x00")
}

// find returns the shorthand for a command, or nil if there is none.
func find(text string) *Shorthand {
	words, ok := completable(text)
	if !ok {
		return nil
	}
	return findWords(words)
}

// findWords returns the shorthand for a command that starts with some words, or nil.
func findWords(words []string) *Shorthand {
	if len(words) == 0 {
		return nil
	}
	program := filepath.Base(words[0])
	// The jar file is the program, as in ltlcross.
	if i := slices.Index(words, "-jar"); program == "java" && 0 <= i && i+1 < len(words) {
		program, words = filepath.Base(words[i+1]), words[i+1:]
	}
	// A name may be the start of another one: the longest that fits is meant.
	var best *Shorthand
	for i := range shorthands() {
		s := &shorthands()[i]
		name, command, two := strings.Cut(s.Name, " ")
		fits := strings.HasPrefix(program, name) && (!two || len(words) > 1 && words[1] == command)
		if fits && (best == nil || len(s.Name) > len(best.Name)) {
			best = s
		}
	}
	return best
}

// split splits a command at blanks outside of quotes, and takes the quotes off. It reports whether
// all quotes are closed.
func split(text string) (list []string, closed bool) {
	var word []byte
	quote, started := byte(0), false // started tells '' from no word
	for i := range len(text) {
		switch c := text[i]; {
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, started = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			if started {
				list = append(list, string(word))
			}
			word, started = word[:0], false
		default:
			word, started = append(word, c), true
		}
	}
	if started {
		list = append(list, string(word))
	}
	return list, quote == 0
}

// Operators that a family of tools does not have.
var (
	// LTL2BA took its parser from Spin, and the others from LTL2BA.
	spinLess = ltl.Ops(ltl.OpXor, ltl.OpWeakUntil, ltl.OpStrongRelease)
	// Spin has X only if it was compiled with -DNXT, which distributions do not do.
	stutter = spinLess.With(ltl.OpNext)
	// LBT has U and V (R), but neither W nor M.
	lbtLess = ltl.PastOps.With(ltl.OpWeakUntil).With(ltl.OpStrongRelease)
	// Of all known tools only Spot's take PSL.
	ltlOnly = ltl.PastOps | ltl.PSLOps
)

// arguments are added to a command, by the mode.
type arguments map[translators.Mode]string

// Ways in which formulas are given.
var (
	spot = arguments{translators.Spawn: "-H %f", translators.Stream: "-H -F -"}
	spin = arguments{translators.Spawn: "-f %s"}
	tela = arguments{translators.Spawn: "-f %f"}
	last = arguments{translators.Spawn: "%f"}
)

// owlWords are the words of Owl's grammar (LTLLexer.g4). Names start with a small letter or _ there.
const owlWords = "tt true ff false NOT IMP BIIMP XOR xor AND OR"

// known are all known tools, those that translate formulas first. Where the facts come from:
//
//   - Spot's tools: manual pages of Spot 2.12 (2024). -F - reads formulas from
//     standard input, one a line. Its tools have no operators of the past.
//   - Spin: Spin's online manual, page ltl. LTL2BA, LTL3BA, LTL3DRA: their README files
//     (2007, 2012, 2013); all take one formula, with -f.
//   - LTL3TELA, which was LTL3HOA: its README (2018). It has Spot's parser.
//   - ltl2dstar: its documentation, versions 0.5.1 to 0.5.4 (2018). It has W, but no M, and
//     has to be told by --ltl2nba which translator to use.
//   - LBT: its page at the Helsinki University of Technology (2004). It answers one formula on
//     standard input, and ends.
//   - Modella, and which operators are rewritten for it and for ltl2dstar: the list
//     that ltlcross --list-shorthands prints.
//   - Owl 21.0 (2021): README_DISTRIBUTION and the help of its commands. Without -f, formulas are
//     read from standard input, one a line. It is not said that each is answered before the
//     next is read; hence spawn and not stream.
//   - Owl up to 20.06 and Rabinizer 4, which is its forerunner: doc/USAGE.md. An
//     argument that is no option is the formula. All of them have F G X U W R M,
//     -> <-> and xor (LTL_GRAMMAR.md, CHANGELOG.md). For names, Rabinizer 3.1 is like them.
//   - autfilt, dstar2tgba, Kofola, Seminator and ltl2dstar -B want the automaton as an argument:
//     autcross completes their commands. It gives all others the automaton on standard input.
//   - Rabinizer 3.1: its options, as the authors of Owl and of LTL3TELA use them in their
//     experiments.
var known = sync.OnceValue(func() []Shorthand {
	return bestModes(slices.Concat([]Shorthand{
		{Name: "ltl2tgba", Format: "hoa", Without: ltl.PastOps, VersionFlag: "--version", arguments: spot, Options: spotOptions},
		{Name: "ltl2ba", Format: "never", Without: spinLess, arguments: spin, Options: ltl2baOptions},
		{Name: "ltl3ba", Format: "never", Without: spinLess, VersionFlag: "-v", arguments: spin, Options: ltl3baOptions},
		{Name: "ltl3dra", Format: "auto", Without: spinLess, arguments: spin},
		{Name: "ltl3tela", Format: "hoa", Without: ltlOnly, arguments: tela},
		{Name: "ltl3hoa", Format: "hoa", Without: ltlOnly, arguments: tela},
		{
			Name: "ltl2dstar", Format: "auto", Without: ltl.PastOps, Example: "ltl2dstar --ltl2nba=spin:ltl2ba",
			arguments: arguments{translators.Spawn: "--output-format=hoa %[MW]L %O"}, automaton: "-B %H %O",
		},
		{
			Name: "ltldo", Format: "auto", Without: ltlOnly, VersionFlag: "--version", Example: "ltldo ltl3ba",
			arguments: arguments{translators.Spawn: "-f %f"},
		},
		{Name: "modella", Format: "lbtt", Without: ltl.PastOps, arguments: arguments{translators.Spawn: "%[MWei^]L %O"}},
		{Name: "lbt", Format: "lbtt", Without: lbtLess, arguments: arguments{translators.Spawn: "< %L"}},
		{Name: "spin", Format: "never", Without: stutter, VersionFlag: "-V", arguments: spin},
	}, each("ltl2nba ltl2ngba ltl2ldba ltl2ldgba ltl2dpa ltl2dra ltl2dgra ltl2dela",
		Shorthand{Name: "owl ", Format: "hoa", Without: ltlOnly, VersionFlag: "--version", arguments: tela, words: owlWords},
	), each("ltl2da ltl2na ltl2nba ltl2ngba ltl2ldba ltl2ldgba ltl2dpa ltl2dra ltl2dgra delag",
		Shorthand{Format: "hoa", Without: ltlOnly, VersionFlag: "--version", arguments: last, words: owlWords},
	), []Shorthand{
		{
			Name: "rabinizer3", Format: "auto", Without: ltlOnly, Example: "java -jar rabinizer3.1.jar", words: owlWords,
			arguments: arguments{translators.Spawn: "-silent -format=hoa -out=std %[ei^RWM]f"},
		},
		{
			Name: xcheckTranslate, Format: "hoa",
			arguments: arguments{translators.Spawn: "%f", translators.Stream: "-F -"},
		},
		{Name: "autfilt", automaton: "%H"},
		{Name: "dstar2tgba", automaton: "%H"},
		{Name: "kofola", automaton: "%H"},
		{Name: "seminator", automaton: "%H"},
	}))
})

// each returns a tool for each name. Its name is the name of s with this name appended.
func each(names string, s Shorthand) (list []Shorthand) {
	prefix := s.Name
	for _, name := range strings.Fields(names) {
		s.Name = prefix + name
		list = append(list, s)
	}
	return list
}

func bestModes(list []Shorthand) []Shorthand {
	for i := range list {
		if list[i].Has(translators.Stream) {
			list[i].Mode = translators.Stream
		}
	}
	return list
}

// shorthands are the known translators of formulas.
var shorthands = sync.OnceValue(func() []Shorthand {
	return slices.DeleteFunc(slices.Clone(known()), func(s Shorthand) bool { return !s.Translates() })
})

// Options of known tools that keep the language: what they print differs, and must be equal. Left
// out are options that other ones need, choose another input or output format, approximate the
// language (-M and --cobuchi of ltl2tgba), or only limit what a tool may try.
var (
	// ltl2tgba --help and man spot-x, Spot 2.12.1. Compositional suspension is tried in its two
	// forms; degen-… belong to degeneralization, det-… to determinization.
	spotOptions = []string{
		"-B|-b|-G|-S|-S -G|-P|-p|--parity='{min,max} {odd,even}'|--colored-parity='{min,max} {odd,even}'",
		"-D|-a|--small",
		"--low|--medium|--high",
		"-C",
		"-U",
		"-x tls-impl={0,1,2,3}",
		"-x branch-post={0,1,2}",
		"-x comp-susp=1|-x comp-susp=1,early-susp=1",
		"-x exprop={0,1}",
		"-x ltl-split=0",
		"-x acd=0",
		"-x ba-simul={0,1,2,3}",
		"-x simul={0,1,2,3}|-x simul-method={1,2}",
		"-x dba-simul=1",
		"-x dpa-simul={0,1}",
		"-x degen-lcache={0,2,3}|-x degen-lowinit=1|-x degen-lskip=0|-x degen-order=1|-x degen-remscc=0|-x degen-reset=0",
		"-x det-scc=0|-x det-simul=0|-x det-stutter=0",
		"-x gen-reduce-parity=0",
		"-x gf-guarantee={0,1}",
		"-x merge-states-min={0,1}",
		"-x rde={0,1}",
		"-x relabel-bool={0,1}|-x relabel-overlap={0,1}",
		"-x scc-filter={0,1,2}",
		"-x tba-det=1",
		"-x wdba-minimize={0,1,2}",
	}
	// The help of ltl2ba.
	ltl2baOptions = []string{"-l", "-p", "-o", "-c", "-a"}
	// The help of ltl3ba 1.1.3. Automata of -H1 are alternating; -H2 and -H3 print HOA.
	ltl3baOptions = []string{"-H1|-H2|-H3", "-l", "-p", "-o", "-c", "-a", "-P", "-D", "-C", "-A", "-R", "-M{0,1}", "-S{0,1,2}", "-x"}
)
