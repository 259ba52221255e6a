package translators

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io"
	"os"
	"strings"
	"testing"
)

// TestLoader compares loaderOf with debug/elf, on made headers, each also cut off at every byte
// and with every byte changed, and on this test itself.
func TestLoader(t *testing.T) {
	var files [][]byte
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		files = append(files, elf64(t, order), elf32(t, order))
	}
	for _, file := range files {
		if got := loaderOf(bytes.NewReader(file), 62); got != "/lib/loader" {
			t.Errorf("got loader %q, want /lib/loader", got)
		}
		for i := range file {
			loaderOf(bytes.NewReader(file[:i]), 62) // must not panic
			for _, x := range []byte{0, 1, 3, 0x7f, 0x80, 0xff} {
				changed := bytes.Clone(file)
				changed[i] = x
				compareLoader(t, bytes.NewReader(changed))
			}
		}
	}
	self, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Skip("needs /proc/self/exe, the file of this program:", err)
	}
	defer self.Close()
	compareLoader(t, self)
}

// compareLoader checks that a loader which debug/elf finds is found. It refuses more files.
func compareLoader(t *testing.T, r io.ReaderAt) {
	t.Helper()
	got := loaderOf(r, 62)
	f, err := elf.NewFile(r)
	if err != nil || f.Machine != 62 {
		return
	}
	want := ""
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP && p.Filesz <= 4096 {
			text := make([]byte, p.Filesz)
			if _, err := p.ReadAt(text, 0); err == nil {
				want = strings.TrimRight(string(text), "\x00")
			}
			break
		}
	}
	if got != want {
		t.Errorf("got loader %q, want %q", got, want)
	}
}

const loaderPath = "/lib/loader\x00"

func elf64(t *testing.T, order binary.ByteOrder) []byte {
	head := elf.Header64{Ident: ident(elf.ELFCLASS64, order), Type: 2, Machine: 62, Version: 1, Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: 2}
	other := elf.Prog64{Type: uint32(elf.PT_LOAD)}
	return encoded(t, order, head, other, elf.Prog64{Type: uint32(elf.PT_INTERP), Off: 64 + 2*56, Filesz: uint64(len(loaderPath))})
}

func elf32(t *testing.T, order binary.ByteOrder) []byte {
	head := elf.Header32{Ident: ident(elf.ELFCLASS32, order), Type: 2, Machine: 62, Version: 1, Phoff: 52, Ehsize: 52, Phentsize: 32, Phnum: 2}
	other := elf.Prog32{Type: uint32(elf.PT_LOAD)}
	return encoded(t, order, head, other, elf.Prog32{Type: uint32(elf.PT_INTERP), Off: 52 + 2*32, Filesz: uint32(len(loaderPath))})
}

func ident(class elf.Class, order binary.ByteOrder) [16]byte {
	data := elf.ELFDATA2LSB
	if order == binary.ByteOrder(binary.BigEndian) {
		data = elf.ELFDATA2MSB
	}
	return [16]byte{0x7f, 'E', 'L', 'F', byte(class), byte(data), 1}
}

func encoded(t *testing.T, order binary.ByteOrder, parts ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, part := range parts {
		if err := binary.Write(&b, order, part); err != nil {
			t.Fatal(err)
		}
	}
	b.WriteString(loaderPath)
	return b.Bytes()
}
