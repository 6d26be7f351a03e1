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
	go test -tags live ./cmd/gamedissect -run Live -v

.PHONY: golden
golden: ## rewrite the golden files; look at the diff afterwards
	go test ./layers/... ./cmd/gamedissect -update

.PHONY: bench
bench: ## measure the program on generated captures
	go run ./cmd/bench

.PHONY: pgo
pgo: ## refresh the profile that guides the compiler, after changes to what takes long
	go run ./cmd/bench --profile cmd/gamedissect/default.pgo

.PHONY: cover
cover: ## tell how much of the code the tests run
	go test -coverpkg=./... -coverprofile=/tmp/gamedissect.cover ./...
	go tool cover -func=/tmp/gamedissect.cover | tail -n 1
