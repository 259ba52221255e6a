//go:build unix

package process

import "syscall"

// pristine reports whether a folder is as it was made.
func pristine(name string) bool {
	var info syscall.Stat_t
	if syscall.Lstat(name, &info) != nil || info.Mode != syscall.S_IFDIR|0o700 {
		return false
	}
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	// As in package os, which asks more of the kernel.
	var list [512]byte
	for {
		n, err := syscall.ReadDirent(fd, list[:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return err == nil
		}
		if _, names, _ := syscall.ParseDirent(list[:n], 1, nil); names > 0 {
			return false
		}
	}
}
