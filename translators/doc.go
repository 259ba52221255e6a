// Package translators runs external translators of LTL into ω-automata.
//
// A translator is somebody else's program, run on formulas that nobody has tried
// before. It may hang, ignore signals, start processes of its own, print without
// end, print half of something, or end for any reason. A [Runner] sees to it that
// none of this has an effect on anything but the [Outcome] of that one call:
//
//   - The command runs in a session of its own, which is also a process group:
//     it has no terminal, and the null device is its standard input.
//   - After the timeout the group gets SIGTERM, and soon after that SIGKILL.
//   - No more output is kept than the limit allows; a command that prints more is
//     killed.
//   - When the command has ended, in whichever way, its group is killed, before
//     the command is reaped: until then the kernel can't give the number of the
//     group to anybody else. So a child that was left in the background neither
//     lives on nor keeps the reader of the output waiting.
//   - Files are in a private folder, which is removed after the call. TMPDIR, too,
//     is a folder that is removed in the end, with what killed commands left there.
//   - If xcheck itself is killed, a guard that outlives it ends what still runs, and
//     removes the files.
//
// On Linux nothing escapes by leaving the group or the session: descendants whose
// parents have ended become children of xcheck (it makes itself a "subreaper"),
// which kills and reaps them. It tells them from children that other parts of the
// program have started by their session, which is not its own, and finds the call
// that they belong to by the session or by a variable in their environment. (A
// process that has left the session and emptied its environment stays until all
// commands have ended that were running when it was found.) Therefore, a program that has a
// Runner must not start children of its own in new sessions.
//
// On other systems, a process that leaves the group survives.
//
// The number of commands that run at the same time is bounded by the Runner, for
// all cases together.
package translators
