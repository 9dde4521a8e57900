module asyncpool/tests_go/linear

go 1.26

require (
	asyncpool v0.0.0
	github.com/anishathalye/porcupine v1.3.1
	github.com/stretchr/testify v1.12.1
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

replace asyncpool => ../../
