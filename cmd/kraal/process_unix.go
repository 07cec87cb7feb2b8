//go:build unix

package main

import (
	"os/exec"
	"syscall"
	"time"
)

// ownGroup lets the command and whatever it starts be ended together, and keeps a terminal's Ctrl-C from it: it is for
// its keeper to end.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a command made by ownGroup. It must not have been waited for, else the number may be another's.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // no such process: it has ended by itself
}

// cpuTime is the processor time that this process has used; 0 where that cannot be told.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
