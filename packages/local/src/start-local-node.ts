import { join } from "node:path";
import { type EmbeddedApiServer, localVersion } from "@rookery/embedded-apiserver";
import { type LocalNode, loadNode } from "@rookery/embedded-node";
import { silentLogger } from "@rookery/runtime";
import type { FullOptions } from "./local-options.ts";

/** Starts the node of a server that has one, with its folder beside the store. */
export async function startLocalNode(
  options: FullOptions,
  server: EmbeddedApiServer,
): Promise<LocalNode | undefined> {
  const { node, data, podCidr = "", now, onError } = options;
  if (!node) return undefined;
  const { name = "rookery", images, logger = silentLogger } = node;
  const { client, port, pki, url } = server;
  const { startNode } = await loadNode();
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
