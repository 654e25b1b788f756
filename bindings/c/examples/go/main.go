// Prints the CAM on stdin, in UPER, as JSON (JER).
package main

/*
#cgo pkg-config: roadwire
#include <stdlib.h>
#include <roadwire.h>
*/
import "C"

import (
	"fmt"
	"io"
	"os"
	"unsafe"
)

// Converter is used by one goroutine at a time.
type Converter struct{ handle *C.roadwire_converter }

// NewConverter makes a converter of the first message of a shipped schema.
func NewConverter(schema, from, to string) (*Converter, error) {
	var failed *C.roadwire_error
	name, source, target := C.CString(schema), C.CString(from), C.CString(to)
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(source))
	defer C.free(unsafe.Pointer(target))
	shipped := C.roadwire_schema_shipped(name, &failed)
	if shipped == nil {
		return nil, problem(failed)
	}
	defer C.roadwire_schema_free(shipped)
	handle := C.roadwire_converter_new(shipped, nil, source, target, 0, &failed)
	if handle == nil {
		return nil, problem(failed)
	}
	return &Converter{handle}, nil
}

// Convert returns the other encoding.
func (c *Converter) Convert(input []byte) ([]byte, error) {
	output := make([]byte, 4096)
	for {
		var failed *C.roadwire_error
		var needed C.size_t
		length := C.roadwire_convert(c.handle, octets(input), C.size_t(len(input)), octets(output), C.size_t(len(output)), &needed, &failed)
		if length >= 0 {
			return output[:length], nil
		}
		err := problem(failed)
		if needed == 0 {
			return nil, err
		}
		output = make([]byte, needed)
	}
}

// Close frees the converter.
func (c *Converter) Close() { C.roadwire_converter_free(c.handle) }

func octets(slice []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.SliceData(slice)) }

func problem(failed *C.roadwire_error) error {
	defer C.roadwire_error_free(failed)
	return fmt.Errorf("%s: %s", C.GoString(failed.code), C.GoString(failed.message))
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	converter, err := NewConverter("cam-1.4.1", "uper", "jer")
	if err != nil {
		return err
	}
	defer converter.Close()
	text, err := converter.Convert(input)
	if err != nil {
		return err
	}
	fmt.Println(string(text))
	return nil
}
