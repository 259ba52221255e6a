// Package translators runs external translators of LTL into ω-automata.
//
// A translator is somebody else's program, run on formulas that nobody has tried
// before. It may hang, ignore signals, start processes of its own, print without
// end, print half of something, or end for any reason. A [Runner] sees to it that
// none of this has an effect on anything but the [Output] for that one formula.
//
// # Processes
//
//   - The command runs in a session of its own, which is also a process group:
//     it has no terminal. Its standard input is the null device, where it does not get
//     formulas there. A simple command is run without a shell (shell.go says which are).
//   - After the timeout the group gets SIGTERM, and soon after that SIGKILL. What the
//     processes take is looked at from time to time, and they are killed if they have
//     more memory or CPU time than allowed. Address space and open files are limits of
//     the kernel's. There are no core dumps.
//   - No more output is kept than the limit allows; a command that prints more is
//     killed.
//   - When the command has ended, in whichever way, its group is killed, before
//     the command is reaped: until then the kernel can't give the number of the
//     group to anybody else. So a child that was left in the background neither
//     lives on nor keeps the reader of the output waiting.
//   - Files are in a private folder, TMPDIR too, which is removed with the process.
//   - If xcheck itself is killed, a guard that outlives it ends what still runs, and
//     removes the files.
//
// On Linux nothing escapes by leaving the group or the session: descendants whose
// parents have ended become children of xcheck (it makes itself a "subreaper"),
// which kills and reaps them. It tells them from children that other parts of the
// program have started by their session, which is not its own, and finds the call
// that they belong to by the session, by a mark among the limits that they have
// inherited, or by a variable in their environment. (A process that has left the
// session and got rid of both stays until all commands have ended that were running
// when it was found.) Therefore, a program that has a Runner must not start children of
// its own in new sessions.
//
// On other systems, a process that leaves the group survives, and memory and CPU time
// are not limited.
//
// # Modes
//
// To start a program takes longer than most translations. So a [Tool] may be kept alive
// ([Stream]) or get many formulas at once ([Batch]). Then a formula can suffer from
// those before it: an automaton too many or too few, and every answer after it belongs
// to another formula. What looks wrong in these modes is therefore never believed
// before a process that got no other formula has shown the same. If that one behaves,
// the output is its, with the note "unstable": a finding about the tool, but not a wrong
// automaton. How an answer is known to belong to its formula, pool.go and queue.go say.
//
// # Automata
//
// A tool may take an automaton instead of a formula, and make another one of it: then its
// command is one of [ParseAutomatonCommand], and it is asked by [Tool.Transform] instead of
// [Tool.Translate]. All else is the same.
//
// # Cores
//
// The number of commands that compute at the same time is bounded by the [Cores] of the
// Runner, for all cases together; checks take the same cores, and come first.
package translators
