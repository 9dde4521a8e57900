package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"text/template"
)

// Who asks, and how the database has the password: its SHA-1, the form that is quickest to check.
const (
	user     = "user:secret"
	database = "CREATE TABLE users (name TEXT PRIMARY KEY, password TEXT);" +
		"INSERT INTO users VALUES ('user', '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=');"
)

// modules are what a request with a password needs.
var modules = []string{"mpm_event", "authn_core", "authz_core", "authz_user", "auth_basic", "authn_dbd", "dbd"}

var configuration = template.Must(template.New("conf").Parse(`
ServerRoot {{.Folder}}
ServerName localhost
Listen {{.Address}}
PidFile {{.Folder}}/pid
DefaultRuntimeDir {{.Folder}}
DocumentRoot {{.Folder}}/www
ErrorLog {{.Folder}}/errors
LogLevel warn
{{range .Modules}}LoadModule {{.}}_module {{$.ModuleFolder}}/mod_{{.}}.so
{{end}}
ServerLimit 1
StartServers 1
ThreadsPerChild {{.Threads}}
MaxRequestWorkers {{.Threads}}
MinSpareThreads 1
MaxSpareThreads {{.Threads}}
KeepAlive On
MaxKeepAliveRequests 0

DBDriver sqlite3
DBDParams {{.Folder}}/users
DBDPersist On
DBDMin 1
DBDKeep {{.Connections}}
DBDMax {{.Connections}}
DBDExptime {{.Expiry}}

<Directory {{.Folder}}/www>
    AuthType Basic
    AuthName bench
    AuthBasicProvider dbd
    AuthDBDUserPWQuery "SELECT password FROM users WHERE name = %s"
    Require valid-user
</Directory>
`))

// furnish makes the folder: configuration, database, a page, and copies of the libraries, which nobody can read then.
func (s *server) furnish() error {
	found, _ := filepath.Glob("/usr/lib/apache2/modules/mod_dbd.so")
	drivers, _ := filepath.Glob("/usr/lib/*/apr-util-1/apr_dbd_sqlite3.so")
	if len(found) == 0 || len(drivers) == 0 {
		return fmt.Errorf("Apache's modules, and the driver for SQLite: %w", exec.ErrNotFound)
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	s.address = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	conf, err := os.Create(s.folder + "/conf")
	if err != nil {
		return err
	}
	defer conf.Close()
	err = configuration.Execute(conf, map[string]any{
		"Folder": s.folder, "Address": s.address, "Modules": modules, "ModuleFolder": filepath.Dir(found[0]),
		"Threads": s.threads, "Connections": s.connections, "Expiry": s.expiry,
	})
	if err != nil {
		return err
	}
	if err := os.Mkdir(s.folder+"/www", 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(s.folder+"/www/page", []byte("hello\n"), 0o644); err != nil {
		return err
	}
	if said, err := exec.Command("sqlite3", s.folder+"/users", database).CombinedOutput(); err != nil {
		return fmt.Errorf("sqlite3: %w: %s", err, said)
	}
	for from, to := range map[string]string{s.shim: "/shim.so", s.library: "/library.so"} {
		if from == "" {
			continue
		}
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(s.folder+to, text, 0o755); err != nil {
			return err
		}
	}
	return s.giveAway()
}

// giveAway makes the folder nobody's, if this is root.
func (s *server) giveAway() error {
	if os.Getuid() != 0 {
		return nil
	}
	return filepath.WalkDir(s.folder, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, nobody, nobody)
	})
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
