import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BundleFile, bundleCommand } from "../bundle/bundle-command.ts";
import { UnavailableError } from "../errors.ts";
import type { Image } from "./image.ts";
import { type LibraryOptions, lockedLibraries } from "./locked-libraries.ts";
import { nodeImage } from "./node-image.ts";
import { libraryNames, sharedLibraries } from "./shared-libraries.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

export interface RookeryImageOptions {
  readonly name?: string;
  /** Takes Node and its libraries as they are locked, as a release does; this machine's where absent. */
  readonly lockedIn?: LibraryOptions;
}

let bundled: Promise<readonly BundleFile[]> | undefined;

/**
 * The image of Rookery that users get, as the Dockerfile describes it: the bundle on Node.
 * Throws UnavailableError on systems whose Node a Linux pod cannot run.
 */
export async function rookeryImage({
  name = "rookery.dev/rookery:test",
  lockedIn,
}: RookeryImageOptions = {}): Promise<Image> {
  bundled ??= bundleCommand();
  const libraries = lockedIn
    ? async (program: string) => lockedLibraries(await libraryNames(program), lockedIn)
    : sharedLibraries;
  const program = realpathSync(lockedIn ? lockedNode() : process.execPath);
  const source = { program, libraries };
  return nodeImage({ name, files: await bundled, main: "rookery.cjs" }, source);
}

/** The Node that the lock file of npm names. */
function lockedNode(): string {
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(root, "node_modules", name, "bin", "node");
  if (existsSync(program)) return program;
  throw new UnavailableError("the locked Node", {
    reason: `package-lock.json has no ${name} that is installed`,
    remedy: "run `node scripts/setup.mjs`, on x64 or arm64",
  });
}
