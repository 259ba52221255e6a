// Package translators runs external translators of LTL into ω-automata.
//
// A translator is somebody else's program, run on formulas that nobody has tried
// before. It may hang, ignore signals, start processes of its own, print without
// end, print half of something, or end for any reason. A [Runner] sees to it that
// none of this has an effect on anything but the [Output] of that one call:
//
//   - The command runs in a process group of its own, with the null device as its
//     standard input. When it has ended, in whichever way, the whole group is
//     killed, before the number of the group can be used again: the command is
//     reaped only after that. On Linux, processes that have left the group become
//     children of xcheck when their parent ends, and are killed as well.
//   - After the timeout the group gets SIGTERM, and soon after that SIGKILL.
//   - No more output is kept than the limit allows; a command that prints more is
//     killed.
//   - Files are in a private folder, which is removed after the call. If
//     xcheck itself is killed, a guard that outlives it ends what still runs, and
//     removes the files.
//
// The number of commands that run at the same time is bounded by the Runner, for
// all cases together.
package translators
