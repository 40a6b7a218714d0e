import { join } from "node:path";
import { UnavailableError } from "../errors.ts";
import { startChild } from "../process/child.ts";
import { lastLines } from "../process/last-lines.ts";
import { createTemporaryFolder } from "../process/temporary-folder.ts";
import type { Progress } from "../progress.ts";
import type { BinaryCache } from "./cache.ts";
import { goEnvironment } from "./go.ts";
import { type BinaryName, moduleFolder, recipeOf } from "./recipe.ts";

const reportInterval = 20_000;

/** Builds binaries one after another into the cache. Needs the lock. */
export async function buildBinaries(
  binaries: readonly BinaryName[],
  cache: BinaryCache,
  { progress, env }: { readonly progress: Progress; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  await cache.prepare();
  for (const [index, binary] of binaries.entries()) {
    const which = `${binary} (${index + 1} of ${binaries.length})`;
    using _ = reportElapsed(which, progress);
    await build(binary, cache.stagingPath(binary), env);
    await cache.admit(binary);
  }
}

async function build(binary: BinaryName, output: string, env: NodeJS.ProcessEnv): Promise<void> {
  const recipe = recipeOf(binary);
  await using folder = await createTemporaryFolder("build");
  // As a child of ours with its compilers in one group: an interrupted build leaves nothing running.
  await using child = await startChild({
    name: `go build ${recipe.package}`,
    command: "go",
    args: ["build", "-trimpath", "-ldflags", recipe.ldflags, "-o", output, recipe.package],
    cwd: moduleFolder(recipe.module),
    env: goEnvironment(env),
    log: join(folder.path, "build.log"),
  });
  await child.whenEnded();
  if (child.ending === "exit code 0") return;
  throw new UnavailableError(binary, {
    reason: `go build ended with ${child.ending}: ${lastLines(child.log)}`,
    remedy: "see whether the Go module proxy can be reached (go env GOPROXY) and the disk has room",
  });
}

function reportElapsed(which: string, progress: Progress): Disposable {
  const start = performance.now();
  const elapsed = () => `${Math.round((performance.now() - start) / 1000)} s`;
  progress(`building ${which}`);
  const timer = setInterval(() => progress(`building ${which}, ${elapsed()}`), reportInterval);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      progress(`building ${which} ended after ${elapsed()}`);
    },
  };
}
