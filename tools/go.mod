module github.com/gamedissect/gamedissect/tools

go 1.26.0

replace github.com/gamedissect/gamedissect => ..

require (
	github.com/gamedissect/gamedissect v0.0.0-00010101000000-000000000000
	github.com/google/gopacket v1.1.19
	github.com/spf13/pflag v1.0.10
	github.com/yuin/goldmark v1.8.7
	golang.org/x/net v0.62.0
)

require (
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
