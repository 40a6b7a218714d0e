import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { VolumeFiles } from "./volume-files.ts";

/**
 * Puts files into a folder all at once, as a kubelet does: each is a link through `..data`, which is
 * swapped for the new content in one step, so that a reader never sees a mixture. Files of a volume
 * are few and small: to ask another thread for each step would take ten times as long.
 */
export function writeFiles(folder: string, files: VolumeFiles, group?: number): void {
  const isRoot = process.getuid?.() === 0;
  const owners = isRoot && group !== undefined ? { group, file: 0o440, folder: 0o2550 } : undefined;
  makeFolder(folder, owners);
  const before = readdirSync(folder);
  const version = `..${new Date().toISOString().replace(/\D/g, "_")}${process.hrtime.bigint()}`;
  makeFolder(join(folder, version), owners);
  for (const [path, { bytes, mode, uid }] of files) {
    const file = join(folder, version, path);
    for (const above of foldersAbove(path)) makeFolder(join(folder, version, above), owners);
    writeFileSync(file, bytes, { mode: 0o600 });
    if (isRoot) chownSync(file, uid ?? 0, group ?? 0);
    chmodSync(file, mode | (owners?.file ?? 0));
  }
  rmSync(join(folder, "..data_tmp"), { force: true });
  symlinkSync(version, join(folder, "..data_tmp"));
  renameSync(join(folder, "..data_tmp"), join(folder, "..data"));
  linkAll(folder, new Set([...files.keys()].map((path) => path.split("/")[0] ?? "")));
  const old = before.filter((name) => name.startsWith("..") && !name.startsWith("..data"));
  for (const name of old) rmSync(join(folder, name), { recursive: true, force: true });
}

interface Owners {
  readonly group: number;
  /** Mode bits in addition to those for other users. */
  readonly file: number;
  readonly folder: number;
}

/** With the mode that a kubelet gives it, whatever this process makes its own folders with. */
function makeFolder(folder: string, owners: Owners | undefined): void {
  mkdirSync(folder, { recursive: true });
  if (owners) chownSync(folder, 0, owners.group);
  chmodSync(folder, 0o755 | (owners?.folder ?? 0));
}

/** "a", "a/b" of "a/b/c". */
function foldersAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function linkAll(folder: string, names: ReadonlySet<string>): void {
  for (const name of names) {
    const link = join(folder, name);
    const isThere = lstatSync(link, { throwIfNoEntry: false }) !== undefined;
    if (!isThere) symlinkSync(join("..data", name), link);
  }
  const visible = readdirSync(folder).filter((name) => !name.startsWith(".."));
  for (const name of visible) if (!names.has(name)) rmSync(join(folder, name));
}
