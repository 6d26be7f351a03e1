#!/usr/bin/env bash
# Compares the micro-benchmarks of the tree with those of a commit, in turns, and prints what
# benchstat makes of it.
#
#   cmd/bench/benchstat.sh COMMIT [ROUNDS]
#
# Benchmarks that the commit does not have are taken there from the tree, where they compile.
set -euo pipefail
base=${1:?name a commit}
rounds=${2:-6}
here=$(git rev-parse --show-toplevel)
work=$(mktemp -d)
trap 'git -C "$here" worktree remove --force "$work/commit" 2>/dev/null || true; rm -rf "$work"' EXIT
git -C "$here" worktree add --quiet --detach "$work/commit" "$base"
packages=(capture decode cmd/gamedissect)
for file in cmd/gamedissect/layers_bench_test.go; do
	[ -e "$work/commit/$file" ] || cp "$here/$file" "$work/commit/$file"
done
for p in "${packages[@]}"; do
	(cd "$work/commit" && go test -c -o "$work/base-${p##*/}" "./$p")
	(cd "$here" && go test -c -o "$work/tree-${p##*/}" "./$p")
done
for _ in $(seq "$rounds"); do
	for p in "${packages[@]}"; do
		for which in base tree; do
			dir=$here
			[ $which = tree ] || dir=$work/commit
			(cd "$dir/$p" && "$work/$which-${p##*/}" -test.run '^$' -test.bench 'Decode|Annotate|Stream|Defragmenter|FindPacket|UDP|Tree|Next' -test.benchtime 200ms) >>"$work/$which"
		done
	done
done
cd "$work"
go run golang.org/x/perf/cmd/benchstat@latest base tree
