import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BundleFile, bundleCommand } from "../bundle/bundle-command.ts";
import { UnavailableError } from "../errors.ts";
import type { Image } from "./image.ts";
import { sharedLibraries } from "./shared-libraries.ts";
import type { TarEntry } from "./tar.ts";
import { workspaceFiles } from "./workspace-files.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const app = "app";
/** Where Node is in the image that the Dockerfile begins with. */
const node = "nodejs/bin/node";
const user = 65532;

let bundled: Promise<readonly BundleFile[]> | undefined;

/**
 * The image of Rookery that users get, as the Dockerfile describes it: the bundle, on the Node that runs this.
 * Throws UnavailableError on systems whose Node a Linux pod cannot run.
 */
export async function rookeryImage({ name = "rookery.dev/rookery:test" } = {}): Promise<Image> {
  bundled ??= bundleCommand();
  return nodeImage({ name, files: await bundled, main: "rookery.cjs" });
}

export interface WorkspaceImageOptions {
  readonly name: string;
  /** More files, with paths below /app. */
  readonly files: readonly TarEntry[];
  /** What it runs, below /app. */
  readonly main: string;
}

/**
 * An image of this workspace's packages as they are, for programs that only tests have. Throws
 * UnavailableError as the other one does.
 */
export function workspaceImage({ name, files, main }: WorkspaceImageOptions): Promise<Image> {
  return nodeImage({ name, files: [...workspaceFiles(root, ["testing"]), ...files], main });
}

async function nodeImage({ name, files, main }: WorkspaceImageOptions): Promise<Image> {
  if (process.platform !== "linux") {
    throw new UnavailableError("an image with this machine's Node", {
      reason: `pods run Linux and this is ${process.platform}`,
      remedy: "do it on Linux, or use the Dockerfile",
    });
  }
  const program = realpathSync(process.execPath);
  return {
    name,
    entries: [
      { path: node, source: program, mode: 0o755 },
      ...(await sharedLibraries(program)),
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

/** Programs ask who they are. */
const people: readonly TarEntry[] = [
  {
    path: "etc/passwd",
    content: `root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:${user}:${user}:nonroot:/home/nonroot:/sbin/nologin\n`,
  },
  { path: "etc/group", content: `root:x:0:\nnonroot:x:${user}:\n` },
];
