package suite_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/xcheck-ltl/xcheck/lab/bench/suite"
)

// The folder has two pairs of automata, and so four inclusions.
func Example() {
	s := &suite.Suite{Kind: suite.Inclusion, Folder: "testdata/pairs", Time: time.Minute, Memory: 1 << 30}
	problems, err := s.Problems()
	if err != nil {
		log.Fatal(err)
	}
	err = s.Run(context.Background(), problems, func(r suite.Result) error {
		fmt.Println(r.Problem, r.Status, r.Answer)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// persistence_A.hoa;persistence_B.hoa solved true
	// persistence_B.hoa;persistence_A.hoa solved false
	// response_A.hoa;response_B.hoa solved true
	// response_B.hoa;response_A.hoa solved false
}
