package guide_test

import (
	"context"
	"fmt"
	"log"

	"github.com/xcheck-ltl/xcheck/internal/guide"
	"github.com/xcheck-ltl/xcheck/ltl/random"
)

func ExampleGuide() {
	g := guide.New(random.Small, 1, nil)
	guided := 0
	for k := range 400 {
		f, parents, err := g.Next(context.Background(), k)
		if err != nil {
			log.Fatal(err)
		}
		if len(parents) > 0 {
			guided++
		}
		g.Answer(answer(k, f)) // what a translator made of f
	}
	fmt.Println(guided > 0, len(g.Kept()) > 0)
	// Output: true true
}
