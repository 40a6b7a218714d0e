import { type Bench, median, type Work } from "./bench.ts";
import { figure, table } from "./report.ts";

/** The figure of our own side of a work, without peers. */
export interface OwnFigure extends Pick<Work, "work" | "unit" | "better"> {
  readonly value: number;
}

/** One work in two states of the project. */
export interface Change extends Pick<Work, "work" | "unit" | "better"> {
  readonly before: number;
  readonly after: number;
  /** How many times as good the second state is; below 1 it is worse. */
  readonly ratio: number;
}

/** Runs our own sides alone: once to warm up, then the rounds of the bench. */
export async function measureOurs({ works, rounds }: Bench): Promise<OwnFigure[]> {
  const figures: OwnFigure[] = [];
  for (const { work, unit, better, ours } of works) {
    await ours.round();
    const samples: number[] = [];
    for (let round = 0; round < rounds; round++) samples.push(await ours.round());
    figures.push({ work, unit, better, value: median(samples) });
  }
  return figures;
}

/** Compares the medians of all runs of two states; a work that one of them lacks is left out. */
export function changesBetween(
  before: readonly (readonly OwnFigure[])[],
  after: readonly (readonly OwnFigure[])[],
): Change[] {
  const names = new Set(before.flat().map(({ work }) => work));
  const common = (after[0] ?? []).filter(({ work }) => names.has(work));
  return common.map(({ work, unit, better }) => {
    const medianOf = (runs: typeof before) =>
      median(runs.flat().flatMap((one) => (one.work === work ? [one.value] : [])));
    const values = { before: medianOf(before), after: medianOf(after) };
    const ratio = better === "more" ? values.after / values.before : values.before / values.after;
    return { work, unit, better, ...values, ratio };
  });
}

/** A table to read in a terminal: one row a work, the machine below it. */
export function changeTable(changes: readonly Change[], tolerance: number): string {
  const cells = changes.map(({ work, unit, before, after, ratio }) => [
    work,
    `${figure(before)} ${unit}`,
    `${figure(after)} ${unit}`,
    `${ratio.toFixed(3)} ×`,
    isWorse({ ratio }, tolerance) ? "WORSE" : "",
  ]);
  return table(["work", "before", "after", "ratio", ""], cells);
}

/** Whether the second state is worse by more than a tolerance, which is a part of 1. */
export function isWorse({ ratio }: Pick<Change, "ratio">, tolerance: number): boolean {
  return !(ratio >= 1 / (1 + tolerance));
}
