import { join } from "node:path";
import { silentLogger } from "@rookery/runtime";
import type { FullOptions } from "./local-options.ts";
import type { LocalNode } from "./node/node.ts";
import type { EmbeddedApiServer } from "./server/start-api-server.ts";
import { localVersion } from "./server/version.ts";

/** Starts the node of a server that has one, with its folder beside the store. */
export async function startLocalNode(
  options: FullOptions,
  server: EmbeddedApiServer,
): Promise<LocalNode | undefined> {
  const { node, data, podCidr = "", now, onError } = options;
  if (!node) return undefined;
  const { name = "rookery", images, logger = silentLogger } = node;
  const { client, port, pki, url } = server;
  // Loaded only here: most servers have none.
  const { startNode } = await import("./node/start-node.ts");
  return once(
    await startNode({
      ...{ name, client, images, podCidr, now, logger, onError },
      version: localVersion.gitVersion,
      folder: join(data, "node"),
      api: { host: new URL(url).hostname, port, ca: () => pki.ca.certificate },
    }),
  );
}

/** It may be disposed of early, and then again with everything else. */
function once(node: LocalNode): LocalNode {
  let ended: Promise<void> | undefined;
  return {
    streams: node.streams,
    [Symbol.asyncDispose]() {
      ended ??= Promise.resolve(node[Symbol.asyncDispose]());
      return ended;
    },
  };
}
