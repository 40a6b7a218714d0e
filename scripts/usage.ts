/** The usage of each test file on this machine; the longest files start first. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import { root } from "./steps.ts";

export interface Usage {
  readonly path: string;
  readonly seconds: number;
  /** CPU seconds of the process itself, and of all that it started. */
  readonly own: number;
  readonly children: number;
}

const ticksPerSecond = 100;

/** Reads the CPU times out of a /proc/<pid>/stat. */
export function cpuSecondsOf(stat: string): Pick<Usage, "own" | "children"> {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
  return {
    own: (user + system) / ticksPerSecond,
    children: (childUser + childSystem) / ticksPerSecond,
  };
}

/** The usage that the probes of a run wrote, with paths below the root. */
export function readUsage(file: string): Usage[] {
  const rows = read(file).trim().split("\n").filter(Boolean);
  return rows
    .map((row) => JSON.parse(row) as Usage)
    .map((usage) => ({
      ...usage,
      path: isAbsolute(usage.path) ? relative(root, usage.path) : usage.path,
    }));
}

/** Orders files by their last usage, the longest first and unknown ones before them. */
export function longestFirst(files: readonly string[], known = knownSeconds()): string[] {
  const secondsOf = (file: string) => known[file] ?? Number.POSITIVE_INFINITY;
  return files.toSorted((a, b) =>
    secondsOf(a) === secondsOf(b) ? 0 : secondsOf(b) - secondsOf(a),
  );
}

/** Stores the usage for the next run; without it files are ordered by name. */
export function remember(usages: readonly Usage[]): void {
  const seconds = { ...knownSeconds() };
  for (const usage of usages) seconds[usage.path] = Math.round(usage.seconds * 10) / 10;
  try {
    mkdirSync(dirname(memory()), { recursive: true });
    const staged = `${memory()}.${process.pid}`;
    writeFileSync(staged, `${JSON.stringify(seconds, undefined, 2)}\n`);
    renameSync(staged, memory());
  } catch {}
}

/** The files that took the most CPU, and the sum of all. */
export function usageTable(usages: readonly Usage[], rows = 25): string {
  const cpu = (usage: Usage) => usage.own + usage.children;
  const line = (seconds: number, ...rest: (number | string)[]) =>
    [seconds, ...rest]
      .map((each) => (typeof each === "number" ? each.toFixed(1).padStart(8) : ` ${each}`))
      .join("");
  const sum = (of: (usage: Usage) => number) => usages.reduce((total, each) => total + of(each), 0);
  return [
    "  CPU s = itself + children  wall s",
    ...usages
      .toSorted((a, b) => cpu(b) - cpu(a))
      .slice(0, rows)
      .map((usage) => line(cpu(usage), usage.own, usage.children, usage.seconds, usage.path)),
    line(
      sum(cpu),
      sum(({ own }) => own),
      sum(({ children }) => children),
      sum(({ seconds }) => seconds),
      `all ${usages.length} files`,
    ),
  ].join("\n");
}

function memory(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(cache, "rookery", "test-seconds.json");
}

function knownSeconds(): Record<string, number> {
  try {
    return JSON.parse(read(memory())) as Record<string, number>;
  } catch {
    return {};
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
