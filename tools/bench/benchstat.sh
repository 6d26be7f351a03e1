#!/usr/bin/env bash
# Runs the Go benchmarks of the working tree and of a commit in turns, and prints how benchstat compares them.
#
#   tools/bench/benchstat.sh COMMIT [ROUNDS [FOLDER ...]]
set -euo pipefail
base=${1:?name a commit}
rounds=${2:-6}
folders=("${@:3}")
[ ${#folders[@]} -gt 0 ] || folders=(capture decode decode/ip decode/wire/bounded decode/tcp tools/bench)
here=$(git rev-parse --show-toplevel)
work=$(mktemp -d)
trap 'git -C "$here" worktree remove --force "$work/commit" 2>/dev/null || true; rm -rf "$work"' EXIT
git -C "$here" worktree add --quiet --detach "$work/commit" "$base"
for f in "${folders[@]}"; do
	go -C "$work/commit/$f" test -c -o "$work/base-${f//\//-}" .
	go -C "$here/$f" test -c -o "$work/tree-${f//\//-}" .
done
for _ in $(seq "$rounds"); do
	for f in "${folders[@]}"; do
		(cd "$work/commit/$f" && "$work/base-${f//\//-}" -test.run '^$' -test.bench . -test.benchtime 200ms) >>"$work/base"
		(cd "$here/$f" && "$work/tree-${f//\//-}" -test.run '^$' -test.bench . -test.benchtime 200ms) >>"$work/tree"
	done
done
cd "$work"
go run golang.org/x/perf/cmd/benchstat@latest base tree
