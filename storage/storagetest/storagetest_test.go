package storagetest

import (
	"testing"

	"kraal/storage"
)

func TestMemory(t *testing.T) {
	Run(t, func(*testing.T) storage.Store { return Memory() })
}
