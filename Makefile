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
lint: ## run golangci-lint, installed first where it is missing
	bash .ci/run lint

.PHONY: fuzz
fuzz: ## run every fuzz function for FUZZTIME=1m
	FUZZTIME=$(FUZZTIME) bash .ci/run fuzz

.PHONY: interop
interop: ## test against the real bzfs and bzadmin, recorded with tcpdump
	bash .ci/run interop

.PHONY: live
live: ## test live capture in network namespaces; needs root, iproute2, tcpdump, bzfs and bzadmin
	go test -tags live ./internal/cli -run Live -v

.PHONY: golden
golden: ## rewrite the golden files and the pages of protocols in docs; look at the diff afterwards
	go test $$(go list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... | awk '/ .*wire\/wiretest/ { print $$1 }') -update

.PHONY: site
site: ## make the site of the pages in docs, in ./site
	cd tools && go run ./site

.PHONY: protocol
protocol: ## write the skeleton of a protocol: make protocol NAME=quake3 PORT=27960; TCP=1 for one over TCP
	go run ./cmd/newprotocol -name "$(NAME)" -port "$(PORT)" $(if $(TCP),-tcp)

.PHONY: pages
pages: ## write what docs have from protocols, examples, the output of commands, and the list of what packages export
	go test ./internal/cli -run 'TestExamples|TestDocs' -update
	go test ./docs -update

.PHONY: mutate
mutate: ## list changes to a package that its tests do not notice: make mutate PKG=./decode/wire
	PKG="$(PKG)" bash .ci/run mutate

.PHONY: bench
bench: ## measure the program on large captures
	cd tools && go run ./bench measure

.PHONY: pgo
pgo: ## refresh the profile that releases are compiled with
	cd tools && go run ./bench profile ../packaging/default.pgo

.PHONY: cover
cover: ## print how much of the code the tests run
	go test -coverpkg=./... -coverprofile=/tmp/gamedissect.cover ./...
	go tool cover -func=/tmp/gamedissect.cover | tail -n 1
