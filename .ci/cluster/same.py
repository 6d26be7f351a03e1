"""Compares the results of gamedissect-beam with the results of one engine, by means of DuckDB.

Arguments: a folder with the results of one engine, the output folder of gamedissect-beam, and the folder in which npm
installed DuckDB. For each sensor, the first folder has a folder SENSOR, written by gamedissect export, and a file
SENSOR.json, written with --stats."""

import glob
import json
import os
import subprocess
import sys

one, beam, duckdb = sys.argv[1:]
tables = {}  # by name: the files of one engine, and the files of gamedissect-beam
for path in glob.glob(f"{one}/*/**/*.parquet", recursive=True):
    name = path.removeprefix(one).split("/", 2)[2].removesuffix(".parquet")
    tables.setdefault(name, ([], []))[0].append(path)
for path in glob.glob(f"{beam}/tables/**/*.parquet", recursive=True):
    tables.setdefault(os.path.relpath(os.path.dirname(path), f"{beam}/tables"), ([], []))[1].append(path)

node = subprocess.Popen(
    ["node", "internal/cli/testdata/duckdb.cjs", duckdb], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
)


def count(query):
    """Returns the number of rows that a query finds."""
    node.stdin.write(json.dumps(f"SELECT count(*) FROM ({query})") + "\n")
    node.stdin.flush()
    answer = json.loads(node.stdout.readline())
    if "error" in answer:
        sys.exit(f"{query}\n{answer['error']}")
    return int(answer["rows"][0][0])


def rows(files):
    """Returns a query for rows as texts, without numbers that depend on the engine."""
    columns = "COLUMNS(c -> c NOT IN ('number', 'stream'))"
    return f"SELECT to_json(t)::VARCHAR FROM (SELECT {columns} FROM read_parquet({files})) t"


def counts(path):
    """Returns statistics without numbers that depend on the engine."""
    with open(path) as file:
        found = json.load(file)
    for conversation in found["conversations"].values():
        conversation.pop("stream", None)
    return found


wrong, total = [], 0
for name, (want, got) in sorted(tables.items()):
    empty = "SELECT NULL::VARCHAR WHERE false"
    a, b = rows(want) if want else empty, rows(got) if got else empty
    there, lost = count(a), count(f"({a}) EXCEPT ALL ({b})")
    total += there
    if lost or count(b) != there:
        wrong.append(f"{name}: {lost} of {there} rows are missing, or there are additional rows")
sensors = glob.glob("*.json", root_dir=one)
if not sensors or not total or sorted(sensors) != sorted(os.listdir(f"{beam}/statistics")):
    wrong.append(f"there are no rows, or the statistics are not from the sensors {sensors}")
elif differ := [s for s in sensors if counts(f"{one}/{s}") != counts(f"{beam}/statistics/{s}")]:
    wrong.append(f"the statistics differ: {differ}")
node.stdin.close()
node.wait()
if wrong:
    sys.exit("\n".join(wrong))
print(f"the same as one engine: {len(tables)} tables, {total} rows, statistics of {len(sensors)} sensors")
