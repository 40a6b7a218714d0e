import { join } from "node:path";
import { UnavailableError } from "../errors.ts";
import { startChild } from "../process/child.ts";
import { lastLines } from "../process/last-lines.ts";
import { createTemporaryFolder } from "../process/temporary-folder.ts";
import type { Progress } from "../progress.ts";
import type { BinaryCache } from "./cache.ts";
import { goEnvironment } from "./go.ts";

const reportInterval = 20_000;

/** One binary and how Go makes it. */
export interface GoBuild {
  /** Of the binary in its cache. */
  readonly name: string;
  /** The folder of the module that pins the versions. */
  readonly folder: string;
  readonly package: string;
  readonly ldflags: string;
}

/** Builds binaries one after another into the cache. Needs the lock. */
export async function buildBinaries(
  builds: readonly GoBuild[],
  cache: BinaryCache,
  { progress, env }: { readonly progress: Progress; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  await cache.prepare();
  for (const [index, build] of builds.entries()) {
    const which = `${build.name} (${index + 1} of ${builds.length})`;
    using _ = reportElapsed(which, progress);
    await goBuild(build, cache.stagingPath(build.name), env);
    await cache.admit(build.name);
  }
}

async function goBuild(build: GoBuild, output: string, env: NodeJS.ProcessEnv): Promise<void> {
  await using folder = await createTemporaryFolder("build");
  // As a child of ours with its compilers in one group: an interrupted build leaves nothing running.
  await using child = await startChild({
    name: `go build ${build.package}`,
    command: "go",
    args: ["build", "-trimpath", "-ldflags", build.ldflags, "-o", output, build.package],
    cwd: build.folder,
    env: goEnvironment(env),
    log: join(folder.path, "build.log"),
  });
  await child.whenEnded();
  if (child.ending === "exit code 0") return;
  throw new UnavailableError(build.name, {
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
