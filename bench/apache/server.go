package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

const (
	patience = 20 * time.Second // for the server to begin, and to end
	nobody   = 65534
)

// A server is a running Apache: a master, and one worker that serves.
type server struct {
	setting
	folder, address string
	master          *exec.Cmd
	worker          int
	ended           chan struct{} // closed when the master has ended
}

// start starts Apache in a folder of its own, as nobody if this is root, and waits until it serves.
func start(s setting) (*server, error) {
	program, err := apache()
	if err != nil {
		return nil, err
	}
	server := &server{setting: s, ended: make(chan struct{})}
	if server.folder, err = os.MkdirTemp("", "bench-apache"); err != nil {
		return nil, err
	}
	if err := server.furnish(); err != nil {
		os.RemoveAll(server.folder)
		return nil, err
	}
	server.master = exec.Command(program, "-f", server.folder+"/conf", "-DFOREGROUND")
	server.master.Env = server.environment()
	server.master.SysProcAttr = server.attributes()
	output, err := os.Create(server.folder + "/output")
	if err != nil {
		return nil, err
	}
	defer output.Close()
	server.master.Stdout, server.master.Stderr = output, output
	if err := server.master.Start(); err != nil {
		os.RemoveAll(server.folder)
		return nil, err
	}
	go func() {
		server.master.Wait()
		close(server.ended)
	}()
	if err := server.await(); err != nil {
		defer server.end()
		return nil, fmt.Errorf("%w\n%s", err, server.said())
	}
	return server, nil
}

func apache() (string, error) {
	for _, name := range []string{"ab", "sqlite3"} {
		if _, err := exec.LookPath(name); err != nil {
			return "", err
		}
	}
	if program, err := exec.LookPath("apache2"); err == nil {
		return program, nil
	}
	return exec.LookPath("/usr/sbin/apache2")
}

func (s *server) environment() []string {
	environment := append(os.Environ(), "LC_ALL=C")
	if s.shim != "" {
		environment = append(environment, "LD_PRELOAD="+s.folder+"/shim.so", "ASYNCPOOL_LIBRARY="+s.folder+"/library.so")
	}
	return environment
}

// attributes let it end when this program does, in whatever way.
func (s *server) attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	if os.Getuid() == 0 {
		a.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return a
}

// await waits until the server takes connections, and finds its worker.
func (s *server) await() error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		select {
		case <-s.ended:
			return fmt.Errorf("Apache has ended")
		default:
		}
		connection, err := net.Dial("tcp", s.address)
		if err != nil {
			continue
		}
		connection.Close()
		if s.worker = onlyChild(s.master.Process.Pid); s.worker != 0 {
			return nil
		}
	}
	return fmt.Errorf("Apache did not serve within %v", patience)
}

// said is what Apache has written about itself.
func (s *server) said() string {
	var all strings.Builder
	for _, name := range []string{"/output", "/errors"} {
		text, _ := os.ReadFile(s.folder + name)
		all.Write(text)
	}
	return all.String()
}

// checkWhoseListItIs looks that the worker has loaded the library, and its master has not.
func (s *server) checkWhoseListItIs() error {
	for _, process := range []struct {
		name  string
		pid   int
		loads bool
	}{{"master", s.master.Process.Pid, false}, {"worker", s.worker, s.shim != ""}} {
		maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", process.pid))
		if err != nil {
			return err
		}
		if loaded := strings.Contains(string(maps), s.folder+"/library.so"); loaded != process.loads {
			return fmt.Errorf("the %s: asyncpool is loaded: %v\n%s", process.name, loaded, s.said())
		}
	}
	return nil
}

// end ends the server, by force if it does not end by itself, and removes its folder. A worker that has crashed, or
// does so now, is an error.
func (s *server) end() error {
	defer os.RemoveAll(s.folder)
	s.master.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(patience):
		syscall.Kill(-s.master.Process.Pid, syscall.SIGKILL)
		<-s.ended
		return fmt.Errorf("Apache did not end within %v\n%s", patience, s.said())
	}
	if said := s.said(); strings.Contains(said, "exit signal") {
		return fmt.Errorf("a worker has crashed:\n%s", said)
	}
	return nil
}
