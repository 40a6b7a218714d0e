/**
 * `npm run bench -- <name> [--json]`: figures beside a peer, in the same run, as ratios.
 * `npm run bench -- <name> --against <commit> [--pairs 5] [--tolerance 5]`: our own figures, beside those of an
 * earlier commit, whose checkout runs in turn with this one.
 */
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { type Bench, benchTable, headline, measure, measureOurs, type Row } from "@rookery/testing";
import { compareWith } from "./compare-bench.ts";
import { root } from "./steps.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    against: { type: "string" },
    pairs: { type: "string", default: "5" },
    tolerance: { type: "string", default: "5" },
    /** Set by a comparison: our own sides alone, of the bench of a checkout. */
    "ours-of": { type: "string" },
  },
});

const { against, "ours-of": checkout = root } = values;
const benches = new Map(
  globSync("packages/*/bench/*.bench.ts", { cwd: checkout }).map((file) => [
    basename(file, ".bench.ts"),
    join(checkout, file),
  ]),
);
const [name = ""] = positionals;
const file = benches.get(name);
if (!file) {
  const known = [...benches.keys()].sort().join(", ");
  console.error(`could not run bench "${name}": there is none of that name. There are: ${known}`);
  process.exitCode = 2;
} else if (against) {
  const options = { pairs: Number(values.pairs), tolerance: Number(values.tolerance) / 100 };
  process.exitCode = (await compareWith(against, name, options)) ? 0 : 1;
} else {
  await runBench(file);
}

async function runBench(file: string): Promise<void> {
  asShipped();
  const { createBench } = (await import(file)) as {
    createBench: () => Promise<Bench & AsyncDisposable>;
  };
  await using bench = await createBench();
  if (values["ours-of"]) return console.log(JSON.stringify(await measureOurs(bench)));
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
