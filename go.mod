module asyncpool

go 1.26

require github.com/mattn/go-pointer v0.0.1
