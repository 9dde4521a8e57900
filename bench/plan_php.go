package main

// The peers of PHP's tables.
const (
	noops   = "two bare FFI calls"
	bare    = "take + release by FFI"
	phpPool = "Async\\Pool"
	phpExt  = "Async\\Pool, the extension"
	queue   = "SplQueue"
	methods = "two empty methods"
	kept    = "two that hand an object over"

	phpExtension = "ext" // the scripts' name for it

	entering    = "a call that enters Go"
	notEntering = "a call that does nothing"
)

// A mode is how PHP runs: with or without its compiler.
type mode struct {
	name     string
	argument string
	settings []string
}

var (
	plain = mode{"no JIT", "plain", []string{"-d", "opcache.enable_cli=0"}}
	jit   = mode{"JIT", "jit", []string{
		"-d", "opcache.enable_cli=1", "-d", "opcache.jit=1255", "-d", "opcache.jit_buffer_size=64M"}}
	modes = []mode{plain, jit}
)

// php makes the command of a script in bench/php. The last argument tells it which mode it should find.
func php(o options, m mode, script string, arguments ...any) command {
	c := append(command{"php", "-d", "ffi.enable=1"}, m.settings...)
	if arguments[0] == phpExtension {
		c = append(c, "-d", "extension="+o.out+"/asyncpool.so", "-d", "asyncpool.library=../build/lib/libasyncpool.so.1")
	}
	c = append(c, "php/"+script)
	return append(c, o.args("", append(arguments, m.argument)...)[1:]...)
}

func phpPlans(o options) []plan {
	flow := plan{Group: Group{
		ID: "php", Title: "PHP: acquire + release, nothing to wait for", Metric: "ns", Unit: "ns a cycle",
		Scale: 1, Base: noops, Peers: []string{noops, bare, phpPool, methods, kept, phpExt, queue},
	}}
	flowNames := map[string]string{noops: "noops", bare: "take", phpPool: "pool", methods: "methods", kept: "kept",
		phpExt: phpExtension, queue: "queue"}

	fibers := plan{Group: Group{
		ID: "php-fibers", Title: "PHP: fibers over 20 resources, held while the others have their turn",
		Metric: "ns", Unit: "ns a cycle", Scale: 1, Base: queue,
		Peers: []string{phpPool, phpExt, queue},
	}}
	fiberNames := map[string]string{phpPool: "pool", phpExt: phpExtension, queue: "queue"}

	enter := plan{Group: Group{
		ID: "php-go", Title: "PHP: entering Go from fibers", Metric: "ns", Unit: "ns a call", Scale: 1,
		Base: notEntering, Peers: []string{entering, notEntering},
		Note: "Fibers make one call each in turns, the change of fibers included. Entering Go is pool_activate().",
	}}
	enterNames := map[string]string{entering: "go", notEntering: "noop"}

	for _, m := range modes {
		flow.rows = append(flow.rows, row{m.name, same(flow.Peers, func(peer string) command {
			return php(o, m, "flow.php", flowNames[peer], o.seconds)
		})})
		for _, n := range []string{"10", "100", "1000"} {
			fibers.rows = append(fibers.rows, row{n + " fibers, " + m.name, same(fibers.Peers, func(peer string) command {
				return php(o, m, "fibers.php", fiberNames[peer], o.seconds, n, 20)
			})})
		}
	}
	for _, r := range []struct{ name, fibers string }{
		{"main flow", "0"}, {"10 fibers", "10"}, {"1000 fibers", "1000"},
	} {
		enter.rows = append(enter.rows, row{r.name, same(enter.Peers, func(peer string) command {
			return php(o, plain, "entering.php", enterNames[peer], o.seconds, r.fibers)
		})})
	}
	waiting := plan{Group: Group{
		ID: "php-waiting", Title: "PHP: a coroutine that waits in line", Metric: "bytes", Unit: "bytes", Scale: 1,
		Base: phpPool, Peers: []string{phpPool, phpExt},
		Note: "Of PHP's memory, beside what a raw fiber needs that is suspended.",
	}}
	waiting.rows = append(waiting.rows, row{"beside its fiber", same(waiting.Peers, func(peer string) command {
		return php(o, plain, "waiting.php", fiberNames[peer])
	})})
	return []plan{flow, fibers, enter, waiting}
}
