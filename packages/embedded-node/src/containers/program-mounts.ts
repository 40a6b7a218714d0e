import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { UnreadableProgramError } from "../errors.ts";
import type { RunAs } from "../processes/run-as.ts";
import type { ContainerMount } from "./container-root.ts";
import type { ImageProgram } from "./images.ts";

export interface ProgramMountOptions {
  readonly user: RunAs;
  /** Of the container. */
  readonly folder: string;
  /** Of the node: copies of programs that users may not read, and folders of each user. */
  readonly shared: string;
}

/**
 * Mounts a program for a user who may not enter its folder, such as one below /root: an empty folder
 * replaces the closed one and contains only the program.
 * Errors: UnreadableProgramError.
 */
export function programMounts(
  { files = [], cache }: Pick<ImageProgram, "files" | "cache">,
  options: ProgramMountOptions,
): readonly ContainerMount[] {
  const paths = new Set(files.filter(existsSync).flatMap((file) => [file, realpathSync(file)]));
  const places = cache === undefined ? [...paths] : [...paths, cache];
  const closed = new Set(places.flatMap((path) => closedFolder(path, options.user) ?? []));
  const veils = [...closed].map((target, index) => {
    const source = makeFolder(join(options.folder, "veils", `${index}`), 0o755);
    return { source, target, readOnly: false };
  });
  const programs = [...paths].flatMap((path) => programMount(path, closed, options) ?? []);
  return [...veils, ...programs, ...(cache === undefined ? [] : [cacheMount(cache, options)])];
}

/** Each user has a cache of its own. */
function cacheMount(target: string, { user, shared }: ProgramMountOptions): ContainerMount {
  const source = makeFolder(join(shared, "caches", `${user.uid}-${user.gid}`), 0o700);
  chownSync(source, user.uid, user.gid);
  return { source, target, readOnly: false };
}

function makeFolder(path: string, mode: number): string {
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  return path;
}

function programMount(
  path: string,
  closed: ReadonlySet<string>,
  { user, shared }: ProgramMountOptions,
): ContainerMount | undefined {
  const stats = statSync(path);
  const isHidden = [...closed].some((folder) => path.startsWith(`${folder}/`));
  const isReadable = mayUse(stats, user, stats.isDirectory() ? 5 : 4);
  if (isReadable) return isHidden ? { source: path, target: path, readOnly: true } : undefined;
  if (stats.isDirectory()) {
    throw new UnreadableProgramError(`user ${user.uid} may not read ${path}`);
  }
  return {
    source: readableCopy(path, stats, join(shared, "programs")),
    target: path,
    readOnly: true,
  };
}

/** The uppermost folder above a path that the user may not enter. */
function closedFolder(path: string, user: RunAs): string | undefined {
  const above = dirname(path);
  if (above === path) return undefined;
  const stats = statSync(above, { throwIfNoEntry: false });
  return closedFolder(above, user) ?? (!stats || mayUse(stats, user, 1) ? undefined : above);
}

/** By its mode: 4 to read, 1 to enter or to run. */
function mayUse({ uid, gid, mode }: Stats, user: RunAs, bits: number): boolean {
  const isMember = gid === user.gid || user.groups.includes(gid);
  const shift = uid === user.uid ? 6 : isMember ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}

/** Made once for each state of the file. */
function readableCopy(path: string, { mtimeMs, size }: Stats, copies: string): string {
  const key = createHash("sha256").update(`${path}\0${mtimeMs}\0${size}`).digest("hex");
  const folder = join(copies, key.slice(0, 16));
  const copy = join(folder, basename(path));
  if (existsSync(copy)) return copy;
  mkdirSync(folder, { recursive: true });
  copyFileSync(path, `${copy}.new`);
  chmodSync(`${copy}.new`, 0o755);
  renameSync(`${copy}.new`, copy);
  return copy;
}
