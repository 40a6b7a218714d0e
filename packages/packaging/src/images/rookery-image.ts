import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BundleFile, bundleCommand } from "../bundle/bundle-command.ts";
import { UnavailableError } from "../errors.ts";
import type { TarEntry } from "../tar.ts";
import type { Image } from "./image.ts";
import {
  type LibraryOptions,
  libraryNames,
  lockedLibraries,
  sharedLibraries,
} from "./locked-libraries.ts";

const app = "app";
/** The path of Node in the base image of the Dockerfile. */
const node = "nodejs/bin/node";
const user = 65532;

export interface NodeImageOptions {
  readonly name: string;
  /** More files, with paths below /app. */
  readonly files: readonly TarEntry[];
  /** The main file, below /app. */
  readonly main: string;
}

interface NodeSource {
  readonly program: string;
  readonly libraries: (program: string) => Promise<TarEntry[]>;
}

/** An image that runs files on Node. Throws UnavailableError on systems other than Linux. */
export async function nodeImage(
  { name, files, main }: NodeImageOptions,
  source?: NodeSource,
): Promise<Image> {
  if (process.platform !== "linux") {
    throw new UnavailableError("an image with this machine's Node", {
      reason: `pods run Linux and this is ${process.platform}`,
      remedy: "do it on Linux, or use the Dockerfile",
    });
  }
  const own = { program: realpathSync(process.execPath), libraries: sharedLibraries };
  const { program, libraries } = source ?? own;
  return {
    name,
    entries: [
      { path: node, source: program, mode: 0o755 },
      ...(await libraries(program)),
      ...files.map((file) => ({ ...file, path: join(app, file.path) })),
      ...people,
      { path: "tmp", folder: true, mode: 0o1777 },
    ],
    entrypoint: [`/${node}`, `/${app}/${main}`],
    env: { PATH: "/nodejs/bin", HOME: "/home/nonroot", NODE_ENV: "production" },
    user: `${user}:${user}`,
    workingDir: `/${app}`,
  };
}

/** The users of the image, as programs look up their own. */
const people: readonly TarEntry[] = [
  {
    path: "etc/passwd",
    content: `root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:${user}:${user}:nonroot:/home/nonroot:/sbin/nologin\n`,
  },
  { path: "etc/group", content: `root:x:0:\nnonroot:x:${user}:\n` },
];

const root = fileURLToPath(new URL("../../../..", import.meta.url));

export interface RookeryImageOptions {
  readonly name?: string;
  /** Takes the locked Node and libraries, as a release does; this machine's where absent. */
  readonly lockedIn?: LibraryOptions;
}

let bundled: Promise<readonly BundleFile[]> | undefined;

/**
 * The published image of Rookery: the bundle on Node, as in the Dockerfile. Throws UnavailableError on
 * systems other than Linux.
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

/** The Node of package-lock.json. */
function lockedNode(): string {
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(root, "node_modules", name, "bin", "node");
  if (existsSync(program)) return program;
  throw new UnavailableError("the locked Node", {
    reason: `package-lock.json has no ${name} that is installed`,
    remedy: "run `node scripts/setup.mjs`, on x64 or arm64",
  });
}
