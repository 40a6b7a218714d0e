import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { reportProgress } from "../progress.ts";
import type { BinaryOptions } from "./binaries.ts";
import type { GoBuild } from "./build.ts";
import { BinaryCache, cacheRoot } from "./cache.ts";
import { fillCache } from "./fill-cache.ts";

/**
 * Gets the program of a Go module that a test brings along, the folder with its go.mod and go.sum:
 * from the machine's cache, else built by Go into it, by one run at a time. It is the module's own
 * main package, or the one that its tools.go pins. Another source is another program. Returns its
 * path. Throws UnavailableError where there is no Go or the build fails.
 */
export async function ensureGoProgram(
  module: string,
  options: BinaryOptions = {},
): Promise<string> {
  const { progress = reportProgress, env = process.env } = options;
  const name = basename(module);
  const build = { name, folder: module, package: await packageOf(module), ldflags: "-s -w" };
  const cache = new BinaryCache(join(cacheRoot(env), `${name}-${await sourceKey(build)}`));
  const remedy = "install Go 1.25 or newer";
  await fillCache(cache, [build], { what: name, remedy, progress, env });
  return cache.path(name);
}

async function packageOf(module: string): Promise<string> {
  const tools = await readFile(join(module, "tools.go"), "utf8").catch(() => "");
  return /^import _ "([^"]+)"$/m.exec(tools)?.[1] ?? ".";
}

/** Names everything that decides what the binary is. */
async function sourceKey(build: GoBuild): Promise<string> {
  const { package: built, ldflags } = build;
  const hash = createHash("sha256");
  hash.update(JSON.stringify([process.platform, process.arch, built, ldflags]));
  const files = await readdir(build.folder, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  for (const path of paths.sort()) {
    hash.update(`${path.slice(build.folder.length)}\n`).update(await readFile(path));
  }
  return hash.digest("hex").slice(0, 16);
}
