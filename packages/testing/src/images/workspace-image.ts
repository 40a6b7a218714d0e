import { fileURLToPath } from "node:url";
import { type Image, type NodeImageOptions, nodeImage } from "@rookery/packaging";
import { workspaceFiles } from "./workspace-files.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/**
 * An image of this workspace's packages as they are, for programs that only tests have. Throws
 * UnavailableError on systems whose Node a Linux pod cannot run.
 */
export function workspaceImage({ name, files, main }: NodeImageOptions): Promise<Image> {
  return nodeImage({
    name,
    files: [...workspaceFiles(root, ["packaging", "testing"]), ...files],
    main,
  });
}
