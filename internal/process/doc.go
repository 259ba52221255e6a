// Package process runs commands of a shell so that nothing of them is left when they have ended:
// no process, no file, no open pipe.
//
//	s, err := process.NewSupervisor(4, "")
//	p, err := s.New(process.Limits{Timeout: time.Minute, MaxOutput: 1 << 20}, nil, false)
//	p.Command.Line = "spin -f '[]<>p'"
//	err = p.Launch(ctx, "")
//	why := p.Wait(ctx, "") // nil, or a limit that it has reached
//	err = p.End()
//	fmt.Println(p.State, p.Stdout.Data)
//	p.ClosePipes()
//	p.Remove()
//
// A [Supervisor] has a private folder, a guard that outlives the program if that is killed, and
// [Cores], which say how many commands may compute at the same time. A [Process] is a command with
// all that it starts. It has a session and a process group of its own. Its group is killed before
// it is reaped.
//
// Processes that leave their group are found only after [AdoptOrphans], and only on Linux: by
// their session, by an inherited resource limit, or by an environment variable.
package process
