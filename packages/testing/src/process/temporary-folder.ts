import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guard } from "./reaper.ts";
import { removeFolder } from "./remove-folder.ts";

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * A new folder, readable by its owner only, that goes away with this process at the latest. Its name
 * tells what for and by which process.
 */
export async function createTemporaryFolder(purpose: string): Promise<TemporaryFolder> {
  const unique = `${process.pid}-${randomBytes(4).toString("hex")}`;
  const path = join(tmpdir(), `rookery-${purpose}-${unique}`);
  const release = await guard({ kind: "folder", path });
  await mkdir(path, { mode: 0o700 });
  return {
    path,
    async [Symbol.asyncDispose]() {
      await removeFolder(path);
      await release();
    },
  };
}
