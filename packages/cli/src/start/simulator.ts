import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { availableParallelism, constants, setPriority } from "node:os";
import { join } from "node:path";
import { simulatorSource } from "@rookery/vsphere";
import type { CommandIo } from "../command.ts";
import { cachedProgram } from "./cached-program.ts";

/** The program of the simulator, or why it is missing. */
export type SimulatorProgram =
  | { readonly path: string; readonly missing?: undefined }
  | { readonly path?: undefined; readonly missing: string };

/** A program that may have to be built, and the current step of that. */
export interface Simulator {
  readonly program: Promise<SimulatorProgram>;
  readonly doing: () => string;
}

export interface SimulatorOptions {
  readonly env: CommandIo["env"];
  readonly signal: AbortSignal;
  readonly source?: string;
  /** Is called with each step of the build. */
  readonly onStep?: (step: string) => void;
}

const name = "vcsim";
const compiler = "go";

/** Finds it in the machine's cache, or builds it with Go, once for each state of its source. */
export async function findSimulator(options: SimulatorOptions): Promise<SimulatorProgram> {
  const { env, source = simulatorSource } = options;
  if (!existsSync(source)) return { missing: "its source is in clones of Rookery only" };
  try {
    const make = (staged: string) => build(staged, { ...options, source });
    const path = await cachedProgram({ env, name: `${name}-${await keyOf(source)}`, make });
    return { path };
  } catch (error) {
    return { missing: whyNot(error) };
  }
}

async function keyOf(source: string): Promise<string> {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  for (const file of (await readdir(source)).toSorted()) {
    hash.update(`${file}\n`).update(await readFile(join(source, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

async function build(
  output: string,
  { env, signal, source, onStep }: SimulatorOptions & { readonly source: string },
): Promise<void> {
  const { GOOS: _, GOARCH: __, ...rest } = env;
  onStep?.("Go builds it");
  const half = `${Math.max(1, Math.floor(availableParallelism() / 2))}`;
  const args = ["build", "-p", half, "-trimpath", "-ldflags=-s -w", "-o", output, "."];
  const child = spawn(compiler, args, {
    cwd: source,
    env: { ...rest, CGO_ENABLED: "0", GOWORK: "off" },
    stdio: ["ignore", "ignore", "pipe"],
    signal,
  });
  giveWay(child.pid);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = `${said}${text}`.slice(-2_000);
    onStep?.(`Go builds it: ${said.trim().split("\n").at(-1)}`);
  });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(said.trim()))));
  });
}

/** Lowers the priority of the build, so that it does not slow down the plane. */
function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process has ended already, or this system has no priorities.
  }
}

function whyNot(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "there is no Go on this machine to build it with; install Go 1.25";
  const [last = ""] = String(error instanceof Error ? error.message : error)
    .split("\n")
    .slice(-1);
  return `Go could not build it: ${last}`;
}
