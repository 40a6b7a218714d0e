import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { VolumeFiles } from "./volume-files.ts";

/**
 * Puts files into a folder all at once, as a kubelet does: each is a link through `..data`, which is
 * swapped for the new content in one step, so that a reader never sees a mixture. Files of a volume
 * are few and small: to ask another thread for each step would take ten times as long.
 */
export function writeFiles(folder: string, files: VolumeFiles): void {
  mkdirSync(folder, { recursive: true });
  const before = readdirSync(folder);
  const version = `..${new Date().toISOString().replace(/\D/g, "_")}${process.hrtime.bigint()}`;
  mkdirSync(join(folder, version));
  for (const [path, { bytes, mode }] of files) {
    const file = join(folder, version, path);
    if (path.includes("/")) mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    chmodSync(file, mode);
  }
  rmSync(join(folder, "..data_tmp"), { force: true });
  symlinkSync(version, join(folder, "..data_tmp"));
  renameSync(join(folder, "..data_tmp"), join(folder, "..data"));
  linkAll(folder, new Set([...files.keys()].map((path) => path.split("/")[0] ?? "")));
  const old = before.filter((name) => name.startsWith("..") && !name.startsWith("..data"));
  for (const name of old) rmSync(join(folder, name), { recursive: true, force: true });
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
