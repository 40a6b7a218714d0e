/** Runs a bench in this checkout and in that of another commit, in turn. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changesBetween, changeTable, isWorse, type OwnFigure } from "@rookery/testing";
import { root, run } from "./steps.ts";

interface Options {
  readonly pairs: number;
  /** By how much a figure may be worse, as a part of 1. */
  readonly tolerance: number;
}

/** Prints both columns; returns whether no figure is worse than the tolerance allows. */
export async function compareWith(
  commit: string,
  bench: string,
  { pairs, tolerance }: Options,
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "rookery-bench-"));
  const before = join(folder, "before");
  try {
    await succeed(["git", "worktree", "add", "--detach", before, commit]);
    await succeed(["node", join(before, "scripts", "setup.mjs")], before);
    const runs = new Map<string, OwnFigure[][]>([
      [before, []],
      [root, []],
    ]);
    for (let pair = 1; pair <= pairs; pair++) {
      console.error(`pair ${pair} of ${pairs} …`);
      const sides = [...runs];
      // Whoever runs first has the rested machine.
      for (const [checkout, figures] of pair % 2 === 0 ? sides.reverse() : sides) {
        figures.push(await measureIn(checkout, bench));
      }
    }
    const changes = changesBetween(runs.get(before) ?? [], runs.get(root) ?? []);
    console.log(`\n${changeTable(changes, tolerance)}\n`);
    console.log(`${bench}: medians of ${pairs} runs of each side, before: ${commit}`);
    return changes.length > 0 && !changes.some((change) => isWorse(change, tolerance));
  } finally {
    await run(["git", "worktree", "remove", "--force", before]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The bench of a checkout runs on that checkout's sources and packages, in a process of its own. */
async function measureIn(checkout: string, bench: string): Promise<OwnFigure[]> {
  const script = join(root, "scripts", "bench.ts");
  const output = await succeed(["node", script, bench, `--ours-of=${checkout}`], checkout);
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  console.error(line);
  return JSON.parse(line);
}

async function succeed(command: readonly string[], cwd = root): Promise<string> {
  const { code, output } = await run(command, { cwd });
  if (code === 0) return output;
  throw new Error(`could not run ${command.join(" ")}: exit code ${code}\n${output}`);
}
