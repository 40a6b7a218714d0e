import { chmod, lstat, mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { VolumeFiles } from "./volume-files.ts";

/**
 * Puts files into a folder all at once, as a kubelet does: each is a link through `..data`, which is
 * swapped for the new content in one step, so that a reader never sees a mixture.
 */
export async function writeFiles(folder: string, files: VolumeFiles): Promise<void> {
  await mkdir(folder, { recursive: true });
  const before = await readdir(folder);
  const version = `..${new Date().toISOString().replace(/\D/g, "_")}${process.hrtime.bigint()}`;
  await mkdir(join(folder, version));
  for (const [path, { bytes, mode }] of files) {
    const file = join(folder, version, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
    await chmod(file, mode);
  }
  await rm(join(folder, "..data_tmp"), { force: true });
  await symlink(version, join(folder, "..data_tmp"));
  await rename(join(folder, "..data_tmp"), join(folder, "..data"));
  await linkAll(folder, new Set([...files.keys()].map((path) => path.split("/")[0] ?? "")));
  const old = before.filter((name) => name.startsWith("..") && !name.startsWith("..data"));
  await Promise.all(old.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

async function linkAll(folder: string, names: ReadonlySet<string>): Promise<void> {
  for (const name of names) {
    const link = join(folder, name);
    const isThere = await lstat(link).then(Boolean, () => false);
    if (!isThere) await symlink(join("..data", name), link);
  }
  const visible = (await readdir(folder)).filter((name) => !name.startsWith(".."));
  const gone = visible.filter((name) => !names.has(name));
  await Promise.all(gone.map((name) => rm(join(folder, name))));
}
