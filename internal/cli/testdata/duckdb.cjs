// Runs each line of standard input, which is a query as a JSON string, and prints its columns and rows, or its error,
// as a line of JSON. The argument is the folder in which @duckdb/node-api is installed.
const { createRequire } = require('node:module');
const readline = require('node:readline');

async function main() {
  const { DuckDBInstance } = createRequire(process.argv[2] + '/')('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for await (const line of readline.createInterface({ input: process.stdin })) {
    let answer;
    try {
      const result = await connection.runAndReadAll(JSON.parse(line));
      answer = { columns: result.columnNames(), rows: result.getRowsJson() };
    } catch (error) {
      answer = { error: String(error.message) };
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
  }
}

main().catch((error) => {
  process.stderr.write(String(error) + '\n');
  process.exit(1);
});
