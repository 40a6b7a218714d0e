/** `npm run bench -- <name> [--json]`: figures beside a peer, in the same run, as ratios. */
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { type Bench, benchTable, headline, measure, type Row } from "@rookery/testing";
import { root } from "./steps.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});

const benches = new Map(
  globSync("packages/*/bench/*.bench.ts", { cwd: root }).map((file) => [
    basename(file, ".bench.ts"),
    file,
  ]),
);
const [name = ""] = positionals;
const file = benches.get(name);
if (file) {
  await runBench(file);
} else {
  const known = [...benches.keys()].sort().join(", ");
  console.error(`could not run bench "${name}": there is none of that name. There are: ${known}`);
  process.exitCode = 2;
}

async function runBench(file: string): Promise<void> {
  asShipped();
  const { createBench } = (await import(join(root, file))) as {
    createBench: () => Promise<Bench & AsyncDisposable>;
  };
  await using bench = await createBench();
  const rows: Row[] = [];
  for (const work of bench.works) {
    if (!values.json) console.error(`measuring ${work.work} …`);
    rows.push(...(await measure(work, bench.rounds)));
  }
  print(rows);
  process.exitCode = rows.every((row) => row.holds) ? 0 : 1;
}

/** Resets the garbage collection of Go programs, which is rare in tests. */
function asShipped(): void {
  process.env.GOGC ??= "100";
  process.env.GOMEMLIMIT ??= "off";
}

/** Prints the most important figure last. */
function print(rows: readonly Row[]): void {
  const [first, ...rest] = rows;
  if (!first) return;
  if (values.json) for (const row of [...rest, first]) console.log(JSON.stringify(row));
  else console.log(`\n${benchTable(rows)}\n\n${headline(name, first)}`);
}
