import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UnavailableError } from "../errors.ts";
import type { Image } from "./image.ts";
import { sharedLibraries } from "./shared-libraries.ts";
import type { TarEntry } from "./tar.ts";
import { workspaceFiles } from "./workspace-files.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const app = "app";

export interface RookeryImageOptions {
  /** "rookery.dev/rookery:test" unless told otherwise. */
  readonly name?: string;
  /** What it runs, below /app: the `rookery` command unless told otherwise. */
  readonly main?: string;
  /** More files, with paths below /app. */
  readonly files?: readonly TarEntry[];
}

/**
 * An image of this workspace as it is: the Node that runs this with its libraries, the packages'
 * sources and what they need. Throws UnavailableError on systems whose Node a Linux pod cannot run.
 */
export async function rookeryImage(options: RookeryImageOptions = {}): Promise<Image> {
  if (process.platform !== "linux") {
    throw new UnavailableError("an image with this machine's Node", {
      reason: `pods run Linux and this is ${process.platform}`,
      remedy: "run the tests on Linux",
    });
  }
  const node = realpathSync(process.execPath);
  const files = [...workspaceFiles(root, ["testing"]), ...(options.files ?? [])];
  const main = options.main ?? "packages/cli/src/main.ts";
  return {
    name: options.name ?? "rookery.dev/rookery:test",
    entries: [
      { path: "usr/local/bin/node", source: node, mode: 0o755 },
      ...(await sharedLibraries(node)),
      ...files.map((file) => ({ ...file, path: join(app, file.path) })),
      { path: "tmp", folder: true, mode: 0o1777 },
    ],
    entrypoint: ["/usr/local/bin/node", `/${app}/${main}`],
    env: { PATH: "/usr/local/bin", NODE_ENV: "production" },
    user: "65532:65532",
    workingDir: `/${app}`,
  };
}
