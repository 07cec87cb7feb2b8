package engine

import (
	"syscall"
	"unsafe"
)

// widen asks the system to keep buckets in large pages. Probes jump all over them, and with small pages most of a probe
// was a wait for its address to be translated. A system that refuses makes the search slower and nothing else, so its
// refusal is not told.
func widen(buckets []bucket) {
	size := len(buckets) * int(unsafe.Sizeof(buckets[0]))
	_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(buckets))), size), syscall.MADV_HUGEPAGE)
}
