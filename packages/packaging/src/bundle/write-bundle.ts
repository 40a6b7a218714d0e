import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BundleFile, bundleCommand } from "./bundle-command.ts";

/** Bundles the command into a folder; what was in it before is removed. */
export async function writeBundle(folder: string): Promise<readonly BundleFile[]> {
  const files = await bundleCommand();
  await rm(folder, { recursive: true, force: true });
  for (const { path, content, mode = 0o644 } of files) {
    const file = join(folder, path);
    await makeReadable(folder, dirname(path));
    await writeFile(file, content);
    // Whatever the umask: an image runs as another user than the one who made it.
    await chmod(file, mode);
  }
  return files;
}

async function makeReadable(root: string, path: string): Promise<void> {
  if (path !== ".") await makeReadable(root, dirname(path));
  const folder = join(root, path);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
}
