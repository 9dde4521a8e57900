package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"strings"
)

// core is what C is told of package pool/core.
type core struct {
	info    types.Info
	decls   map[string]*ast.GenDecl // by the first name in each
	structs []*structure            // what is referred to comes before what refers to it
	blocks  []block
	names   map[string]string     // of Go: types, Type.Field, constants, and GateX for any of them; and what they are in C
	kinds   map[types.Type]string // of numbers, and what stands for any of them
}

type structure struct {
	inGo, inC string
	doc       string
	members   []member
	size      int64
}

type member struct {
	inC, declaration, both string
	above, beside          string
	offset, size           int64
}

type block struct {
	doc, of string
	numbers []number
}

type number struct {
	inGo, inC, value string
	beside           string
}

// imports knows what the core imports.
var imports = importer.ForCompiler(token.NewFileSet(), "source", nil)

// read finds out what the files declare. The sizes are those of every 64-bit machine.
func read(set *token.FileSet, files []*ast.File) (*core, error) {
	c := &core{info: types.Info{Defs: map[*ast.Ident]types.Object{}}, decls: map[string]*ast.GenDecl{},
		names: map[string]string{}, kinds: map[types.Type]string{}}
	config := types.Config{Importer: imports, IgnoreFuncBodies: true}
	if _, err := config.Check("asyncpool/pool/core", set, files, &c.info); err != nil {
		return nil, err
	}
	for _, file := range files {
		for _, d := range file.Decls {
			if decl, general := d.(*ast.GenDecl); general {
				switch spec := decl.Specs[0].(type) {
				case *ast.TypeSpec:
					c.decls[spec.Name.Name] = decl
				case *ast.ValueSpec:
					c.decls[spec.Names[0].Name] = decl
				}
			}
		}
	}
	for _, b := range blocks {
		c.addBlock(b.first, b.prefix, b.inC, b.of)
	}
	for _, s := range structs {
		c.addStruct(s.inGo, s.inC)
	}
	return c, nil
}

var declarator = regexp.MustCompile(`^(.*?)(\w+)$`)

func (c *core) addStruct(name, inC string) {
	if c.names[name] != "" {
		return
	}
	c.names[name] = inC
	sizes := types.SizesFor("gc", "amd64")
	decl := c.decls[name]
	spec := decl.Specs[0].(*ast.TypeSpec)
	whole := c.info.Defs[spec.Name].Type()
	layout := whole.Underlying().(*types.Struct)
	s := &structure{inGo: name, inC: inC, doc: decl.Doc.Text(), size: sizes.Sizeof(whole)}
	var fields []*types.Var
	for field := range layout.Fields() {
		fields = append(fields, field)
	}
	for _, field := range spec.Type.(*ast.StructType).Fields.List {
		for i, ident := range field.Names {
			at := len(s.members)
			tag := reflect.StructTag(layout.Tag(at))
			m := member{inC: snake(ident.Name), both: tag.Get("both"),
				offset: sizes.Offsetsof(fields)[at], size: sizes.Sizeof(fields[at].Type())}
			given := declarator.FindStringSubmatch(tag.Get("c"))
			if given != nil {
				m.inC = given[2]
			}
			m.declaration = c.declare(fields[at].Type(), m.inC, inC)
			if given != nil && given[1] != "" {
				m.declaration = given[0]
			}
			if i == 0 {
				m.above, m.beside = field.Doc.Text(), field.Comment.Text()
			}
			if m.above+m.beside == "" {
				m.beside = c.kinds[fields[at].Type()]
			}
			s.members = append(s.members, m)
			c.names[name+"."+ident.Name] = m.inC
		}
	}
	c.structs = append(c.structs, s)
}

// declare declares a name in C, within the struct inside. A struct that is met comes along.
func (c *core) declare(t types.Type, name, inside string) string {
	switch is := t.(type) {
	case *types.Array:
		return fmt.Sprintf("%s[%d]", c.declare(is.Elem(), name, inside), is.Len())
	case *types.Pointer:
		return c.declare(is.Elem(), "*"+name, inside)
	case *types.Named:
		if _, made := is.Underlying().(*types.Struct); made {
			called := "ap_" + snake(is.Obj().Name())
			if called+"_t" == inside { // a struct has no other name yet
				return "struct " + called + " " + name
			}
			c.addStruct(is.Obj().Name(), called+"_t")
			return called + "_t " + name
		}
	}
	switch basic := t.Underlying().(*types.Basic); basic.Kind() {
	case types.Bool:
		return "bool " + name
	case types.UnsafePointer:
		return "void *" + name
	default:
		return basic.Name() + "_t " + name
	}
}

func (c *core) addBlock(first, prefix, inC, of string) {
	decl := c.decls[first]
	b := block{doc: decl.Doc.Text(), of: of}
	for _, s := range decl.Specs {
		spec := s.(*ast.ValueSpec)
		name := spec.Names[0].Name
		rest, counts := strings.CutPrefix(name, prefix)
		if !counts || (prefix == "" && !ast.IsExported(name)) {
			continue
		}
		n := number{inGo: name, inC: inC + strings.ToUpper(snake(rest)), beside: spec.Comment.Text()}
		value := c.info.Defs[spec.Names[0]].(*types.Const)
		n.value = value.Val().ExactString()
		if constant.Sign(value.Val()) < 0 {
			n.inC = strings.Replace(n.inC, "POOL_", "POOL_ERR_", 1)
		}
		if len(spec.Values) > 0 && bit.MatchString(types.ExprString(spec.Values[0])) {
			n.value = types.ExprString(spec.Values[0])
		}
		if _, named := value.Type().(*types.Named); named && prefix != "" {
			c.kinds[value.Type()] = inC + "X"
		}
		c.names[name] = n.inC
		b.numbers = append(b.numbers, n)
	}
	if prefix != "" {
		c.names[prefix+"X"] = inC + "X"
	}
	c.blocks = append(c.blocks, b)
}

var (
	bit  = regexp.MustCompile(`^1 << \d+$`)
	hump = regexp.MustCompile(`([a-z])([A-Z])`)
)

func snake(name string) string {
	if own := spelled[name]; own != "" {
		name = own
	}
	return strings.ToLower(hump.ReplaceAllString(name, "${1}_$2"))
}
