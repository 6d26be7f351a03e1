FUZZTIME = 1m

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build the program into ./gamedissect
	go build ./cmd/gamedissect

.PHONY: test
test: ## run the tests
	go test ./...

.PHONY: lint
lint: ## run golangci-lint; install it first if it is missing
	bash .ci/run lint

.PHONY: fuzz
fuzz: ## run every fuzz function, each for FUZZTIME=1m
	FUZZTIME=$(FUZZTIME) bash .ci/run fuzz

.PHONY: interop
interop: ## test with the real bzfs and bzadmin, captured by tcpdump
	bash .ci/run interop

.PHONY: live
live: ## test live capture in network namespaces; this needs root, iproute2, tcpdump, bzfs and bzadmin
	go test -tags live ./internal/cli -run Live -v

.PHONY: golden
golden: ## rewrite the golden files and the protocols' pages in docs; read the diff afterwards
	go test $$(go list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... | awk '/ .*wire\/wiretest/ { print $$1 }') -update

.PHONY: site
site: ## write the pages in docs as HTML into ./site
	cd tools && go run ./site

.PHONY: protocol
protocol: ## write the skeleton of a protocol: make protocol NAME=quake3 PORT=27960, with TCP=1 if it uses TCP
	go run ./cmd/newprotocol -name "$(NAME)" -port "$(PORT)" $(if $(TCP),-tcp)

.PHONY: pages
pages: ## rewrite the generated parts of docs: protocols, examples, output of commands, exported names
	go test ./internal/cli -run 'TestExamples|TestDocs' -update
	go test ./docs -update

.PHONY: mutate
mutate: ## mutation testing: list code changes that no test catches: make mutate PKG=./decode/wire
	PKG="$(PKG)" bash .ci/run mutate

.PHONY: bench
bench: ## measure the program on large captures
	cd tools && go run ./bench measure

.PHONY: pgo
pgo: ## rewrite the profile that the compiler uses to optimise the program
	cd tools && go run ./bench profile ../cmd/gamedissect/default.pgo

.PHONY: cover
cover: ## print how much of the code is run by the tests
	go test -coverpkg=./... -coverprofile=/tmp/gamedissect.cover ./...
	go tool cover -func=/tmp/gamedissect.cover | tail -n 1
