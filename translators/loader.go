package translators

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// magicELF begins the programs of Linux.
const magicELF = "\x7fELF"

// machines are the processors that programs for this one are made for, as an ELF header numbers
// them. Others may be emulated, with loaders in a place of their own.
var machines = map[string]uint16{"amd64": 62, "arm64": 183, "riscv64": 243, "386": 3}

// withoutLoader says that what loads a program is missing, as for one that is made for another
// library of C.
func withoutLoader(file io.ReaderAt) string {
	loader := loaderOf(file, machines[runtime.GOARCH])
	if loader == "" {
		return ""
	}
	if _, err := os.Stat(loader); errors.Is(err, os.ErrNotExist) {
		return fmt.Sprintf("it needs %s: no such file", loader)
	}
	return ""
}

// loaderOf returns the path of the loader that an ELF file asks for in its segment PT_INTERP. It
// returns "" if there is none, or if the file is damaged or made for another processor. Package
// debug/elf does the same, but compiling it and what it imports takes as long as this whole
// package.
func loaderOf(file io.ReaderAt, machine uint16) string {
	// Offsets in the file's header and in a segment's header, for 32 and 64 bits.
	type layout struct{ word, segments, size, number, offset, length int }
	layouts := map[byte]layout{1: {4, 28, 42, 44, 4, 16}, 2: {8, 32, 54, 56, 8, 32}}
	orders := map[byte]binary.ByteOrder{1: binary.LittleEndian, 2: binary.BigEndian}
	const class, encoding, machineAt, header = 4, 5, 18, 64 // a short file has no loader either

	head := make([]byte, header)
	if _, err := file.ReadAt(head, 0); err != nil || string(head[:len(magicELF)]) != magicELF {
		return ""
	}
	l, order := layouts[head[class]], orders[head[encoding]]
	if l.word == 0 || order == nil || order.Uint16(head[machineAt:]) != machine {
		return ""
	}
	word := func(data []byte) int64 {
		if l.word == 4 {
			return int64(order.Uint32(data))
		}
		return int64(order.Uint64(data))
	}
	const interpreter, longest = 3, 4096
	start, size := word(head[l.segments:]), int64(order.Uint16(head[l.size:]))
	segment := make([]byte, l.length+l.word)
	for i := range int64(order.Uint16(head[l.number:])) {
		if _, err := file.ReadAt(segment, start+i*size); err != nil {
			return ""
		}
		length := word(segment[l.length:])
		if order.Uint32(segment) != interpreter || length < 0 || length > longest {
			continue
		}
		path := make([]byte, length)
		if _, err := file.ReadAt(path, word(segment[l.offset:])); err != nil {
			return ""
		}
		return strings.TrimRight(string(path), "\x00")
	}
	return ""
}
