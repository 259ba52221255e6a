package wholefile

import (
	"io/fs"
	"os"
	"syscall"
)

// owners are the user and the group that have a file.
type owners struct{ uid, gid int }

// owner returns those of a file, if they are not the ones that files of this process have.
func owner(info fs.FileInfo) (owners, bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return owners{}, false
	}
	o := owners{int(stat.Uid), int(stat.Gid)}
	return o, o != owners{os.Geteuid(), os.Getegid()}
}
