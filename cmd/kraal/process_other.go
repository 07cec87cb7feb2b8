//go:build !unix

package main

import (
	"os/exec"
	"time"
)

// ownGroup does nothing: only a Unix has groups of processes.
func ownGroup(*exec.Cmd) {}

// killGroup ends the command, though not what it started.
func killGroup(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // an error: it has ended by itself
}

// cpuTime is the processor time that this process has used; 0 where that cannot be told.
func cpuTime() time.Duration { return 0 }
