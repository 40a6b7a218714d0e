import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { CommandIo } from "../command.ts";
import { cachedProgram, programsFolder } from "./cached-program.ts";

export interface PodProgramOptions {
  readonly env: CommandIo["env"];
  readonly signal: AbortSignal;
  /** Is called when the bundle is made, or with the reason why it could not be. */
  readonly report: (text: string) => void;
  /** The root of the clone. */
  readonly root?: string;
}

const prefix = "rookery-";
const dayMs = 24 * 3600 * 1000;
/** A running plane touches its bundle each day. */
const forgottenMs = 7 * dayMs;
const clone = fileURLToPath(new URL("../../../..", import.meta.url));

/**
 * The bundle of this command for pods, which starts with half of the CPU time of the sources. It is made
 * once for each state of the sources. Undefined outside of a clone, and if bundling fails.
 */
export async function findPodProgram(options: PodProgramOptions): Promise<string | undefined> {
  const { env, signal, report, root = clone } = options;
  const script = join(root, "packages", "packaging", "src", "commands", "bundle.ts");
  if (!existsSync(script)) return undefined;
  const make = async (staged: string) => {
    report("Bundling the command for pods, once for these sources");
    await promisify(execFile)(process.execPath, [script, "--folder", staged], { env, signal });
  };
  try {
    const folder = await cachedProgram({ env, name: `${prefix}${keyOf(root)}`, make });
    await touch(folder);
    setInterval(() => void touch(folder).catch(() => {}), dayMs).unref();
    await removeForgotten(env);
    return join(folder, "rookery.cjs");
  } catch (error) {
    report(`could not bundle the command, so that pods run its sources: ${error}`);
    return undefined;
  }
}

/** A hash of all inputs of a bundle: sources, files beside them, and the lock file. */
function keyOf(root: string): string {
  const packages = readdirSync(join(root, "packages")).map((name) => join("packages", name));
  const files = packages.flatMap((folder) => [
    join(folder, "package.json"),
    ...filesBelow(root, join(folder, "src")),
    ...filesBelow(root, join(folder, "launcher")),
  ]);
  const hash = createHash("sha256");
  for (const file of ["package-lock.json", ...files].toSorted()) {
    const path = join(root, file);
    if (existsSync(path)) hash.update(`${file}\n`).update(readFileSync(path));
  }
  return hash.digest("hex").slice(0, 16);
}

/** A glob would take ten times as long. */
function filesBelow(root: string, folder: string): string[] {
  const place = join(root, folder);
  if (!existsSync(place)) return [];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.ts$/.test(entry.name))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .filter((file) => !/[\\/](?:node_modules|testdata)[\\/]/.test(file));
}

function touch(folder: string): Promise<void> {
  const now = new Date();
  return utimes(folder, now, now);
}

/** Also removes unfinished bundles. */
async function removeForgotten(env: CommandIo["env"]): Promise<void> {
  const folder = programsFolder(env);
  for (const name of (await readdir(folder)).filter((one) => one.startsWith(prefix))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < Date.now() - forgottenMs) await rm(path, { recursive: true, force: true });
  }
}
