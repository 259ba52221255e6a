package ltl

// A ruleText is an equivalence of LTL that Reduce uses from left to right. The
// variables a, b, c stand for any formula, e for a pure eventuality, u for a
// purely universal formula, q for one that is both (suspendable); there may be
// digits after the letter. A condition claims validity: "!a -> b" is that a or
// b holds at every position.
//
// A conjunction or disjunction at the top is any two operands of a longer one;
// in "a & …", a may also be all operands but one. In one below the top, the first
// is all operands but one.
type ruleText struct {
	name, equation, condition string
}

// ruleTexts has one of each two dual rules: in the other one &, F, U, W, e and 1
// are replaced by |, G, R, M, u and 0 and vice versa, and conditions are turned
// around.
//
// In every rule the right side is smaller than the left one, in the
// lexicographic order of three numbers:
//
//   - the size of the syntax tree, where U, R, W and M count thrice and
//     negations not at all;
//   - the sum of the sizes of all subformulas with F, G, U, R, W or M at their top;
//   - the sum of the sizes of all subformulas with X at their top.
//
// That is so whatever the variables stand for, and remains so in any larger
// formula (a smaller or equal size makes no other part larger). So no sequence
// of rewriting steps is infinite.
//
// Most rules are from Somenzi and Bloem (CAV 2000), Etessami and Holzmann
// (CONCUR 2000) and Babiak, Křetínský, Řehák and Strejček (TACAS 2012), or are
// listed in the documentation of Spot.
var ruleTexts = []ruleText{
	{"F of U", "F(a U b) = F b", ""},
	{"F of M", "F(a M b) = F(a & b)", ""},
	{"F of X", "F X a = X F a", ""},
	{"F joined", "F a | F b = F(a | b)", ""},
	{"F of universal joined", "F u1 & F u2 = F(u1 & u2)", ""},
	{"GF split", "G F(a & e) = G(F a & e)", ""},
	{"GF in & split", "G(b & F(a & e)) = G(b & F a & e)", ""},

	{"G of & with X of eventual", "G(a & X e) = G(a & e)", ""},
	{"GF of | with X", "G F(a | X b) = G F(a | b)", ""},
	{"GF in & of | with X", "G(c & F(a | X b)) = G(c & F(a | b))", ""},

	{"X joined in &", "X a & X b = X(a & b)", ""},
	{"X joined in U", "X a U X b = X(a U b)", ""},
	{"X joined in W", "X a W X b = X(a W b)", ""},
	{"F folded", "a | X F a = F a", ""},
	{"U folded", "b | (a & X(a U b)) = a U b", ""},
	{"W folded", "b | (a & X(a W b)) = a W b", ""},

	{"U & U", "(a U b) & (c U b) = (a & c) U b", ""},
	{"U | U", "(a U b) | (a U c) = a U (b | c)", ""},
	{"W & W", "(a W b) & (c W b) = (a & c) W b", ""},
	{"W | W", "(a W b) | (a W c) = a W (b | c)", ""},
	{"U & W", "(a U b) & (c W b) = (a & c) U b", ""},
	{"U | W", "(a U b) | (a W c) = a W (b | c)", ""},
	{"U | G", "(a U b) | G a = a W b", ""},
	{"W & F", "(a W b) & F b = a U b", ""},
	{"U of & with its left", "a U (b & a) = b M a", ""},
	{"W of & with its left", "a W (b & a) = b R a", ""},
	{"U of its right, F", "F a U a = F a", ""},
	{"W of its right, F", "F a W a = F a", ""},
	{"U of its right, X", "X a U a = X a | a", ""},
	{"W of its right, X", "X a W a = X a | a", ""},
	{"U of | with G", "a U (b | G a) = a W b", ""},
	{"W of | with G", "a W (b | G a) = a W b", ""},
	{"U of U, same right", "(a U b) U b = a U b", ""},
	{"U of W, same right", "(a W b) U b = a U b", ""},
	{"W of U, same right", "(a U b) W b = a U b", ""},
	{"W of W, same right", "(a W b) W b = a W b", ""},
	{"factor", "(b & a) | (c & a) = (b | c) & a", ""},

	{"F of eventual", "F e = e", ""},
	{"F of | eventual", "F(a | e) = F a | e", ""},
	{"F of & suspendable", "F(a & q) = F a & q", ""},
	{"U of eventual", "a U e = e", ""},
	{"U of | eventual", "a U (b | e) = (a U b) | e", ""},
	{"U of & suspendable", "a U (b & q) = (a U b) & q", ""},
	{"W of eventual", "a W e = e | G a", ""},
	{"W of | eventual", "a W (b | e) = (a W b) | e", ""},
	{"W of suspendable |", "(a | q) W b = (a W b) | q", ""},
	{"W of universal", "u W a = u | a", ""},
	{"X of suspendable", "X q = q", ""},
	{"X of & suspendable", "X(a & q) = X a & q", ""},

	{"& implied", "a & b = a", "a -> b"},
	{"& contradictory", "a & b = 0", "a -> !b"},
	{"| cut", "(b | a) & c = b & c", "a -> !c"},
	{"| without implied &", "c & (d | (b & a)) = c & (d | b)", "c -> a"},
	{"| without contradictory &", "c & (d | (b & a)) = c & d", "c -> !a"},
	{"XG folded", "a & X G b = a & G b", "a -> b"},
	{"U implied", "a U b = b", "a -> b"},
	{"U complementary", "a U b = F b", "!b -> a"},
	{"W implied", "a W b = b", "a -> b"},
	{"W complementary", "a W b = 1", "!b -> a"},
	{"F of | with G", "F(a | G b) = 1", "!b -> a"},
	{"U of U right", "a U (b U c) = b U c", "a -> b"},
	{"U of U left", "a U (b U c) = a U c", "b -> a"},
	{"U of W", "a U (b W c) = b W c", "a -> b"},
	{"U of R", "a U (b R c) = b R c", "a -> c"},
	{"U of M", "a U (b M c) = b M c", "a -> c"},
	{"U of G", "a U G b = G b", "a -> b"},
	{"W of R", "a W (b R c) = b R c", "a -> c"},
	{"W of G", "a W G b = G b", "a -> b"},
	{"W of W right", "a W (b W c) = b W c", "a -> b"},
	{"W of W left", "a W (b W c) = a W c", "b -> a"},
	{"W of U", "a W (b U c) = a W c", "b -> a"},
	{"U of implying |", "(b | a) U c = b U c", "a -> c"},
	{"U of complementary &", "(b & a) U c = b U c", "!c -> a"},
	{"W of implying |", "(b | a) W c = b W c", "a -> c"},
	{"W of complementary &", "(b & a) W c = b W c", "!c -> a"},
}
