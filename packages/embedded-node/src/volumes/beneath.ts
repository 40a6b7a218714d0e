import {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { NodeError } from "../errors.ts";

export interface BeneathOptions {
  /** The kind of the last part of the path, where it is missing. */
  readonly make: "folder" | "file";
  /** The mode of created folders; 0755 by default. */
  readonly mode?: number;
}

/**
 * Creates the missing part of a path below a folder that other users may write to. Links that stay in
 * the folder are followed. No link leads out of it: each folder is opened from its parent, so that a
 * folder that becomes a link in the meantime is rejected.
 * Errors: NodeError.
 */
export function makeBeneath(base: string, path: string, options: BeneathOptions): void {
  const root = realpathSync(base);
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw outside(path);
  const { real, missing } = existingPart(root, parts);
  if (real !== root && !real.startsWith(`${root === sep ? "" : root}${sep}`)) throw outside(path);
  const present = relative(root, real).split(sep).filter(Boolean);
  makeSteps(root, { present, missing, path, options });
}

/** How much of a path is there, by its real name. A link that leads nowhere is there, too. */
function existingPart(root: string, parts: readonly string[]) {
  for (let length = parts.length; length > 0; length -= 1) {
    const place = join(root, ...parts.slice(0, length));
    if (!isThere(place)) continue;
    return { real: realOf(place, parts), missing: parts.slice(length) };
  }
  return { real: root, missing: parts };
}

function isThere(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file is above it, which is found next.
    return false;
  }
}

function realOf(place: string, parts: readonly string[]): string {
  try {
    return realpathSync(place);
  } catch (cause) {
    throw outside(join(...parts), cause);
  }
}

interface Steps {
  readonly present: readonly string[];
  readonly missing: readonly string[];
  readonly path: string;
  readonly options: BeneathOptions;
}

function makeSteps(root: string, { present, missing, path, options }: Steps): void {
  const all = [...present, ...missing];
  let folder = openFolder(root, path);
  try {
    for (const [index, part] of all.entries()) {
      const place = childOf(folder, part, join(root, ...all.slice(0, index + 1)));
      const isLast = index === all.length - 1;
      const isNew = index >= present.length;
      if (isLast && (!isNew || options.make === "file")) {
        if (isNew) writeFileSync(place, "", { flag: "wx", mode: 0o644 });
        else assertNoLink(place, path);
        return;
      }
      if (isNew) mkdirSync(place);
      const next = openFolder(place, path);
      closeSync(folder);
      folder = next;
      if (isNew) fchmodSync(folder, options.mode ?? 0o755);
    }
  } finally {
    closeSync(folder);
  }
}

/** By the folder that is open, whatever has its name by now; other systems than Linux have names alone. */
function childOf(folder: number, name: string, path: string): string {
  return process.platform === "linux" ? `/proc/self/fd/${folder}/${name}` : path;
}

function openFolder(place: string, path: string): number {
  try {
    return openSync(place, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (cause) {
    throw outside(path, cause);
  }
}

function assertNoLink(place: string, path: string): void {
  if (lstatSync(place).isSymbolicLink()) throw outside(path);
}

function outside(path: string, cause?: unknown): NodeError {
  return new NodeError(`"${path}" does not stay in its volume`, { cause });
}
