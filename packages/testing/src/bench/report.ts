import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import type { Row } from "./bench.ts";

/** A table to read in a terminal: one row a peer, the machine below it. */
export function benchTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.work,
    `${figure(row.ours)} ${row.unit}`,
    `${row.peerName}: ${figure(row.peer)} ${row.unit}`,
    `${row.ratio.toFixed(2)} ×`,
    row.goal === null ? "" : `≥ ${row.goal} ×`,
    row.goal === null ? "" : row.holds ? "holds" : "MISSED",
  ]);
  return table(["work", "ours", "peer", "ratio", "goal", ""], cells);
}

/** Aligned columns, with the machine below them. */
export function table(header: readonly string[], cells: readonly (readonly string[])[]): string {
  return [...align([header, ...cells]), "", machine()].join("\n");
}

/** The one figure to take home. */
export function headline(name: string, row: Row): string {
  const goal =
    row.goal === null ? "" : ` (goal ≥ ${row.goal} ×: ${row.holds ? "holds" : "MISSED"})`;
  return `${name}: ${row.work}: ${row.ratio.toFixed(2)} × ${row.peerName}${goal}`;
}

function align(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((line) => line[column]?.length ?? 0)),
  );
  return table.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

export function figure(value: number): string {
  return value.toLocaleString("en", { maximumSignificantDigits: value < 1000 ? 3 : 6 });
}

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  const memory = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]?.toFixed(2) ?? "?";
  const system = `${process.platform}-${process.arch}, Node ${process.versions.node}`;
  return `machine: ${availableParallelism()} × ${model}, ${memory} GiB, ${system}, load ${load}`;
}
