// Package ltl implements formulas of linear temporal logic (LTL), past operators included.
//
// A formula speaks about the positions of an infinite word. Each letter of the word gives every
// atomic proposition a truth value. A word satisfies a formula if the formula holds at its first
// position.
//
// # Operators
//
// The Boolean operators are !, &, |, ->, <-> and xor. The future operators are
//
//	X a      a holds at the next position
//	F a      a holds now or later
//	G a      a holds now and at every later position
//	a U b    b holds now or later, and a holds at every position before that
//	a W b    a U b, or a holds forever
//	a R b    b holds up to and including the first position where a holds, or forever
//	a M b    a R b, and a holds at some position
//
// The past operators have the letters of NuSMV, because Spot's syntax has none:
//
//	Y a      there is a previous position, and a holds there
//	Z a      a holds at the previous position, if there is one
//	O a      a holds now or earlier
//	H a      a holds now and at every earlier position
//	a S b    b holds now or earlier, and a holds at every position since then
//	a T b    b holds at every position since a last held, or since the start if a never held
//
// Past operators add no expressive power at the first position. They can make a formula
// exponentially shorter (Laroussinie, Markey and Schnoebelen, LICS 2002).
//
// U and M are least fixpoints, W and R greatest ones. The dualities are
//
//	!(a U b) = !a R !b        !(a W b) = !a M !b        !(a S b) = !a T !b
//
// Formulas of PSL (IEEE 1850) contain regular expressions, which describe finite words: see [SERE].
//
//	{r}        some prefix of the word is a word of r, or every prefix starts a word of r
//	{r}<>->f   f holds at the last letter of some word of r that starts here
//	{r}[]->f   f holds at the last letter of each such word
//
// Duret-Lutz, "Spot's Temporal Logic Formulas", defines them. {r}[]->f and {r}<>->f are dual.
//
// # Making formulas
//
// A [Store] makes formulas, each only once. Two formulas of one Store are equal if and only if
// their pointers are:
//
//	s := ltl.NewStore()
//	f, err := s.Parse("G(req -> F ack)", ltl.Spot)
//	g := s.Globally(s.Implies(s.Prop("req"), s.Finally(s.Prop("ack"))))
//	fmt.Println(f == g) // true
//
// Formulas never change, and constructors do not simplify them. Only chains of & and | have a
// fixed shape: a & (b & c) becomes (a & b) & c.
//
// # Working with formulas
//
//   - [Store.Parse] and [Formula.Format] read and write the syntaxes of Spot, Spin, LBT and Wring.
//   - [Formula.Holds] evaluates a formula on a lasso word, directly from the definitions above.
//     [Formula.Truths] does so for every subformula at every position.
//   - [Store.NNF], [Store.Simplify] and [Store.Reduce] rewrite a formula into an equivalent one.
//   - [Generator] makes random formulas. Package patterns has the formulas of the
//     literature.
//   - [Store.Shrink] lists the formulas that are one step smaller, to find a small one on which a tool
//     still fails.
//
// # Files
//
//	formula, sere                 formulas, expressions and their Store
//	parse, lex, parse_sere        reading
//	print, print_sere             writing
//	simplify, reduce, rules       simpler formulas; implies proves the conditions of rules
//	rewrite, canonical, class     other forms, one form for many, the class of a property
//	lasso, progress               truth on a word, and what remains after a letter
//	derivation                    automata of expressions
//	random, shrink                random formulas, smaller formulas
//
// Package ltl does not translate formulas into automata: see package translate. It imports only
// small helpers of internal.
package ltl
