package ugi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
)

// maxLine is the most bytes a line may have: room for a game of a hundred thousand actions.
const maxLine = 1 << 20

// errLineTooLong is what a longer line comes as.
var errLineTooLong = fmt.Errorf("line is longer than %d bytes", maxLine)

// input is a line without its end, or why there is none.
type input struct {
	line string
	err  error
}

// readLines sends in's lines one by one, and at last the error that ended them, io.EOF at the end of in.
func readLines(ctx context.Context, in io.Reader, to chan<- input) {
	r := bufio.NewReader(in)
	for {
		line, err := readLine(r)
		if err == io.EOF && line != "" {
			err = nil // a last line without an end; the next read ends it
		}
		select {
		case <-ctx.Done():
			return
		case to <- input{line, err}:
		}
		if err != nil && err != errLineTooLong {
			return
		}
	}
}

// readLine reads up to the end of a line. What is longer than maxLine is passed over and reported.
func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong && (err == nil || err == io.EOF):
			return "", errLineTooLong
		}
		return string(line), err
	}
}
