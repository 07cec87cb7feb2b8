//go:build linux || darwin

package endgame

import "syscall"

// free is how many bytes may still be written in a directory; false where the system does not tell.
func free(dir string) (int64, bool) {
	var about syscall.Statfs_t
	if err := syscall.Statfs(dir, &about); err != nil {
		return 0, false
	}
	return int64(about.Bavail) * int64(about.Bsize), true
}
