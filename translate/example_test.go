package translate_test

import (
	"context"
	"fmt"
	"log"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/translate"
)

func ExampleWith() {
	store := ltl.NewStore()
	f, err := store.Parse("G(req -> F ack)", ltl.Spot)
	if err != nil {
		log.Fatal(err)
	}
	aut, err := translate.With(context.Background(), "gastin-oddoux", store, f)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(aut.Name, "from", aut.Initial(), "accepts if", aut.Acceptance().Condition)
	name := func(i int) string { return aut.Alphabet().Props()[i] }
	for s := range aut.NumStates() {
		for _, e := range aut.Edges(omega.State(s)) {
			fmt.Println(s, "->", e.Dst, "on", aut.Alphabet().Format(e.Label, name), aut.Marks().AppendTo(nil, e.Marks))
		}
	}
	// Output:
	// G(req -> Fack) from [0] accepts if Inf(0)
	// 0 -> 0 on !req | ack [0]
	// 0 -> 1 on req&!ack []
	// 1 -> 0 on ack [0]
	// 1 -> 1 on !ack []
}

func ExampleAlgorithms() {
	for _, a := range translate.Algorithms() {
		fmt.Println(a.Name + ": " + a.Description)
	}
	// Output:
	// gpvw: tableau (Gerth, Peled, Vardi, Wolper, PSTV 1995), transition-based, generalized Büchi
	// gastin-oddoux: very weak alternating automaton (Gastin, Oddoux, CAV 2001) to transition-based generalized Büchi
	// couvreur: expansion into decision diagrams (Couvreur, FM 1999), transition-based generalized Büchi, reduced
}
