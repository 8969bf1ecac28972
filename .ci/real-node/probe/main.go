// Command probe is what runs in pods of a kubelet's tests, and what carries connections into a node's network and out of it.
// It needs no library and no other file, so that an image may be this file alone.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
)

const usage = `usage: probe pause               waits for a signal
       probe hold               prints its environment and the files of /dev, takes connections at port 8080, and waits for a signal
       probe forward FROM TO    joins what connects to FROM with TO; each is tcp:ADDRESS:PORT or unix:PATH
       probe forward FROM       joins it with the ADDRESS:PORT that its first line says`

func main() {
	if len(os.Args) < 2 {
		fail(usage)
	}
	switch os.Args[1] {
	case "pause":
		await()
	case "hold":
		hold()
	case "forward":
		switch len(os.Args) {
		case 3:
			forward(os.Args[2], "")
		case 4:
			forward(os.Args[2], os.Args[3])
		default:
			fail(usage)
		}
	default:
		fail(usage)
	}
}

func fail(message any) {
	fmt.Fprintln(os.Stderr, "probe:", message)
	os.Exit(2)
}

// await returns when the process is asked to end, and takes in what is left of others on the way.
func await() {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGCHLD)
	for received := range signals {
		if received != syscall.SIGCHLD {
			return
		}
		for {
			if child, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); child <= 0 || err != nil {
				break
			}
		}
	}
}

func hold() {
	environment := os.Environ()
	sort.Strings(environment)
	for _, variable := range environment {
		fmt.Println("env", variable)
	}
	filepath.WalkDir("/dev", func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			fmt.Println("dev", path)
		}
		return nil
	})
	listener, err := net.Listen("tcp", ":8080")
	if err != nil {
		fail(err)
	}
	go func() {
		for {
			caller, err := listener.Accept()
			if err != nil {
				fail(err)
			}
			caller.Close()
		}
	}()
	fmt.Println("ready")
	await()
	fmt.Println("ended")
}

func network(name string) (string, string) {
	kind, address, found := strings.Cut(name, ":")
	if !found || (kind != "tcp" && kind != "unix") {
		fail("neither tcp:ADDRESS:PORT nor unix:PATH: " + name)
	}
	return kind, address
}

func forward(from, to string) {
	kind, address := network(from)
	if kind == "unix" {
		os.Remove(address)
	}
	listener, err := net.Listen(kind, address)
	if err != nil {
		fail(err)
	}
	toKind, toAddress := "tcp", ""
	if to != "" {
		toKind, toAddress = network(to)
	}
	for {
		caller, err := listener.Accept()
		if err != nil {
			fail(err)
		}
		go join(caller, toKind, toAddress)
	}
}

type halfCloser interface{ CloseWrite() error }

func join(caller net.Conn, kind, address string) {
	defer caller.Close()
	if address == "" {
		var err error
		if address, err = line(caller); err != nil {
			fmt.Fprintln(os.Stderr, "probe:", err)
			return
		}
	}
	callee, err := net.Dial(kind, address)
	if err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		return
	}
	defer callee.Close()
	go carry(callee, caller)
	carry(caller, callee)
}

// line reads byte by byte: what follows is for somebody else.
func line(from io.Reader) (string, error) {
	var read []byte
	next := make([]byte, 1)
	for len(read) < 256 {
		if _, err := io.ReadFull(from, next); err != nil {
			return "", err
		}
		if next[0] == '\n' {
			return string(read), nil
		}
		read = append(read, next[0])
	}
	return "", fmt.Errorf("no address in %q", read)
}

// carry goes on until one end is gone; who has said all may still be owed the answer.
func carry(to, from net.Conn) {
	if _, err := io.Copy(to, from); err != nil {
		to.Close()
		return
	}
	to.(halfCloser).CloseWrite()
}
