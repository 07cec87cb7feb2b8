//go:build linux || darwin || freebsd || netbsd || openbsd

package endgame

import (
	"os"
	"syscall"
)

// mapFile makes a file's bytes readable without reading them: what is never asked for never comes into memory.
func mapFile(f *os.File, size int) (bytes []byte, release func() error, err error) {
	bytes, err = syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return bytes, func() error { return syscall.Munmap(bytes) }, nil
}
