package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"

	pb "cloud.google.com/go/ai/generativelanguage/apiv1beta/generativelanguagepb"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// descriptors returns those of a request and of all that it is made of, what is needed first.
func descriptors() []byte {
	set := &descriptorpb.FileDescriptorSet{}
	known := map[string]bool{}
	var add func(protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		if known[f.Path()] {
			return
		}
		known[f.Path()] = true
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(f))
	}
	add(new(pb.GenerateContentRequest).ProtoReflect().Descriptor().ParentFile())
	text, err := proto.Marshal(set)
	if err != nil {
		panic(err) // they came from the program itself
	}
	return text
}

// parser is the program of parser/parser.cc.
type parser struct {
	lock sync.Mutex
	in   io.Writer
	out  *bufio.Reader
}

func start(program, descriptors string) (*parser, error) {
	c := exec.Command(program, descriptors)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &parser{in: in, out: bufio.NewReader(out)}, c.Start()
}

// read returns what is wrong with a request, or "".
func (p *parser) read(body []byte) (string, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if _, err := fmt.Fprintf(p.in, "%d\n%s", len(body), body); err != nil {
		return "", err
	}
	var size int
	if _, err := fmt.Fscanf(p.out, "%d\n", &size); err != nil {
		return "", err
	}
	problem := make([]byte, size)
	_, err := io.ReadFull(p.out, problem)
	return string(problem), err
}
