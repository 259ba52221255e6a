// Package session runs a whole cross-check: it takes the inputs from where a [Plan] says, gives
// them to the translators, stores, resumes and shards the run, and reports the results.
//
//	plan := &session.Plan{Config: configs.Default(), Resume: true}
//	plan.Config.History.File = "xcheck.db"
//	err := plan.Choose(&session.Choice{Commands: []string{"{mine} mytool %f"}, NoBuiltin: true})
//	…
//	result, err := session.Run(ctx, plan, &report.Text{W: os.Stdout})
//	…
//	os.Exit(int(result.Status))
//
// # The way of an input
//
// A run checks formulas or automata. Formulas come in this order: those on which translators
// failed in earlier runs (if the run is stored), then the inline ones, patterns, files, and random
// ones. A shard numbers all of them, and checks every n-th. If the run resumes, cases that are
// stored already are reported unchanged, and no translator is called for them.
//
// # The end of a run
//
// A run ends when there are no more inputs, at its deadline, at the first error if
// Config.Checks.StopOnError is set, or when its context is done. In each case the reports are
// completed, so that they tell how it ended:
//
//  1. The history compares the run with earlier ones.
//  2. The files of the reports are completed and closed.
//  3. The sinks of the caller get the totals. They can tell of errors in the files.
//  4. The history stores how the run ended. A process that is killed before leaves a run that can
//     resume, and then writes its reports again.
//
// # Shards
//
// Several processes can share a run, each with its own history: each has all inputs, and checks the cases of
// its [Shard]. [Merge] merges the histories, and then the run is the same as if one process had done it all.
package session
