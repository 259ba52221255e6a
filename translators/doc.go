// Package translators runs external programs that translate LTL formulas into ω-automata.
//
// A [Tool] is a program and how to call it. A [Runner] runs it within limits:
//
//	command, err := translators.ParseCommand("ltl2ba -f %s", translators.Spawn)
//	tool := &translators.Tool{Name: "ltl2ba", Command: command}
//	runner, err := translators.NewRunner(4, "")
//	out, err := tool.Translate(ctx, runner, formula, 0)
//
// A translator may hang, ignore signals, start other processes, print without end, or crash. The
// Runner confines all of that to the [Output] for one formula.
//
// # Processes
//
//   - A command runs in its own session and process group, without a terminal. A simple command
//     runs without a shell.
//   - At the timeout, the group gets SIGTERM, and SIGKILL soon after. The Runner samples memory and
//     CPU time, and kills processes that exceed the limit. The kernel limits address space and open
//     files, and writes no core dumps.
//   - Output beyond the limit is dropped, and the command is killed.
//   - When a command ends, its whole group is killed before the command is reaped. A child left in
//     the background can't survive or hold the output open.
//   - Files, TMPDIR included, are in a private folder that is removed at the end.
//   - If xcheck itself is killed, a guard process ends the commands and removes the files.
//
// On Linux, processes can't escape by leaving the group or the session if the program calls
// [AdoptOrphans] first. It then inherits and kills descendants whose parents have ended. It
// recognizes them by their session, by an inherited resource limit, or by an environment variable.
// A process that has shed all three survives until the commands end that ran when it was found.
//
// Without AdoptOrphans, and on other systems, a process that leaves the group survives. On other
// systems, there are no limits on memory and CPU time.
//
// # Modes
//
// Starting a program takes longer than most translations. So a Tool can be kept alive ([Stream]),
// or be given many formulas at once ([Batch]). In these modes a formula can suffer from earlier
// ones: after one automaton too many, every answer belongs to the wrong formula. So xcheck repeats
// every suspicious answer in a fresh process. If the fresh process behaves, its output counts, and
// the tool gets the note "unstable".
//
// # Automata as input
//
// A tool can also take an automaton and print another one. Make its command with
// [ParseAutomatonCommand], and call [Tool.Transform] instead of [Tool.Translate].
//
// # Cores
//
// The cores of a Runner bound how many commands compute at the same time. Checks take the same
// cores and go first.
package translators
