package main

import (
	"fmt"
	"io"
	"strings"
)

// hostileTexts adds the inputs that are no automata.
func hostileTexts(kind *hostileKind, add, piped func(name string, write func(io.Writer))) {
	// Bounded by packages ltl and translate.
	*kind = hostileFormulas
	add("a -> b -> a, 10^4 times", nested("", "a -> b -> ", "a", "", "\n", 5000))
	add("10^4 conjuncts F(p & Xq)", func(w io.Writer) { repeated(w, 10000, "F(p%[1]d & X p%[2]d) & "); io.WriteString(w, "1\n") })
	add("10^5 conjuncts F(p & Xq)", func(w io.Writer) { repeated(w, 100000, "F(p%[1]d & X p%[2]d) & "); io.WriteString(w, "1\n") })
	add("10^5 propositions or-ed", func(w io.Writer) { joined(w, 100000, " | ", "p%d"); fmt.Fprintln(w) })
	add("10^6 parentheses", nested("", "(", "a", ")", "\n", 1000000))
	add("10^6 negations", nested("", "!", "a", "", "\n", 1000000))
	add("10^5 times X", nested("", "X", "a", "", "\n", 100000))
	add("10^4 times U", nested("", "a U (b U ", "a", ")", "\n", 10000))
	add("10^4 times U to the left", nested("", "(", "a", " U b) R c", "\n", 10000))
	add("18 times GF implies 18 times GF", func(w io.Writer) {
		joined(w, 18, " & ", "GFp%d")
		io.WriteString(w, " -> ")
		joined(w, 18, " & ", "GFq%d")
		fmt.Fprintln(w)
	})
	add("60 times <->", func(w io.Writer) { joined(w, 60, " <-> ", "Fp%d"); fmt.Fprintln(w) })
	add("1000 times xor", func(w io.Writer) { joined(w, 1000, " xor ", "p%d"); fmt.Fprintln(w) })
	add("a counter of 12 bits", func(w io.Writer) {
		for i := range 12 {
			fmt.Fprintf(w, "G(b%d <-> X(b%d xor (1", i, i)
			repeated(w, i, " & b%d")
			io.WriteString(w, "))) & ")
		}
		io.WriteString(w, "GF(b11)\n")
	})
	add("deep past", nested("", "Y(a S ", "b", ")", "\n", 5000))
	add("10^5 formulas", func(w io.Writer) { repeated(w, 100000, "(\n") })
	add("no characters", noise("", 1<<20))
	piped("a line of 1 GB", forever("", "a & "))

	*kind = hostileWord
	add("a cycle of 20000 letters", nested("cycle{", "a;", "!a", "", "}", 20000))
	add("a prefix of 20000 letters", nested("", "a;!a&b;", "cycle{", "", "a&b;!a}", 10000))
	for n, sign := range map[int]string{5000: "&", 40: "^"} {
		add(fmt.Sprintf("a letter of %d times %s", n, sign), func(w io.Writer) {
			io.WriteString(w, "cycle{")
			joined(w, n, sign, "p%d")
			io.WriteString(w, "}")
		})
	}
	add("a letter with 30 conjunctions", func(w io.Writer) {
		io.WriteString(w, "cycle{")
		for i := range 30 {
			fmt.Fprintf(w, "p%d&p%d|", i+100, i+200)
		}
		io.WriteString(w, "0}")
	})
	add("deep parentheses in a letter", nested("cycle{", "(", "a", ")", "}", 60000))
	add("deep cycles", nested("", "cycle{", "a", "}", "", 10000))

	*kind = hostileConfig
	add("TOML: deep arrays", nested("x = ", "[", "", "]", "\n", 100000))
	add("TOML: deep tables", nested("x = ", "{a=", "1", "}", "\n", 100000))
	add("TOML: a key of 10^5 parts", nested("", "a.", "b = 1", "", "\n", 100000))
	add("TOML: a name of 8 MB", nested("[", "x", "", "", "]\n", 8<<20))
	add("TOML: 2000 translators", func(w io.Writer) {
		io.WriteString(w, "[formulas]\ninline = ['a']\n")
		repeated(w, 2000, "[[translators]]\nname='t%d'\ncommand='true %%f'\n")
	})
	add("TOML: 200 translators", func(w io.Writer) {
		io.WriteString(w, "[formulas]\ninline = ['GFa', 'a U b']\n")
		repeated(w, 200, "[[translators]]\nname='t%d'\ncommand='cat small.hoa; : %%f'\n")
	})
	add("TOML: numbers", text("[formulas.random]\nnumber = 99999999999999999999999\n[limits]\ntimeout = 1e400\n"))
	add("TOML: random formulas of any size", text("[formulas.random]\nnumber = 1000\nsize = '1000000..100000000'\npropositions = 100000000\n"))
	add("TOML: patterns without an end", text("[formulas]\npatterns = ['go-theta 1..1000000000']\n"))

	*kind = hostileReport
	add("JSON: deep arrays", nested("", "[", "", "]", "\n", 1000000))
	add("JSON: deep objects", nested("", `{"cases":[`, "", "]}", "\n", 1000000))
	add("JSON: a string of 64 MB", nested(`{"cases":[{"formula":"`, "x", "", "", `"}]}`, 64<<20))
	add("JSON: 10^6 cases", nested(`{"translators":[],"cases":[`, `{"index":1,"results":[]},`, `null`, "", `],"summary":{}}`, 1000000))
	add("JSON: numbers", text(`{"cases":[{"index":1e999,"results":[{"states":99999999999999999999}]}]}`))
	add("JSON: cut off", text(`{"translators":[{"name":"a"}],"cases":[{"index":0,"formula":"a","results":[{"transl`))
	piped("JSON: 1 GB", forever(`{"translators":[],"cases":[`, `{"index":1,"results":[]},`))

	*kind = hostileHistory
	add("history: noise", noise("", 1<<20))
	add("history: noise of SQLite", noise("SQLite format 3\x00\x10\x00\x01\x01\x00\x40\x20\x20", 1<<20))
	add("history: zeros", nested("", "\x00", "", "", "", 4<<20))
	add("history: text", text("not a database\n"))

	*kind = hostileCSV
	add("CSV: a quote without an end", nested("\"", "x\n", "", "", "", 8<<20))
	add("CSV: 10^6 columns", nested("", "a,", "a\n", "", "", 1000000))
	piped("CSV: 1 GB", forever("formula\n\"", "a,"))

	*kind = hostileArguments
	for _, line := range []string{
		"patterns|go-theta 1..1000000000", "patterns|go-theta 100000", "patterns|modulo-counter 100000",
		"random|-n|10|--size|1000000..2000000", "random|-n|1000000000|--ap|100000|--size|1..3", "random|-n|1000000|--ap|1|--size|1..1",
		"random|--automata|-n|5|--states|100000..200000", "run|-n|5|--size|100000..200000|--no-builtin|-t|true %f",
		"run|--patterns|go-theta 1..1000000000|--no-builtin|-t|true %f", "run|-f|GFa|-n|0|-t|yes %f", "run|-f|GFa|--no-builtin|-t|sleep 100 %f",
		"eval|a|cycle{" + strings.Repeat("a;", 30000) + "a}",
	} {
		name, _, _ := strings.Cut(strings.ReplaceAll(line, "|", " "), "a;a;")
		add(name, text(strings.ReplaceAll(line, "|", "\n")))
	}
}
