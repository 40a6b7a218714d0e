import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BundleFile, bundleCommand } from "./bundle-command.ts";

/** Bundles the command into a folder; what was in it before is removed. */
export async function writeBundle(folder: string): Promise<readonly BundleFile[]> {
  const files = await bundleCommand();
  await rm(folder, { recursive: true, force: true });
  for (const { path, content, mode = 0o644 } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { mode });
  }
  return files;
}
