import { join } from "node:path";
import type { Client } from "@rookery/client";
import { silentLogger } from "@rookery/runtime";
import type { LocalNode } from "../node/node.ts";
import { reachableHost } from "./hosts.ts";
import { defaultPodCidr } from "./local-options.ts";
import type { Parts } from "./parts.ts";

export interface LocalNodeParts extends Parts {
  /** The server's own: the node is in its process, and part of it. */
  readonly client: Client;
  readonly port: number;
}

/** Starts the node of a server that has one, with its folder beside the store. */
export async function startLocalNode(parts: LocalNodeParts): Promise<LocalNode | undefined> {
  const { client, port, pki } = parts;
  const { node, data, address, now, onError, podCidr = defaultPodCidr } = parts.options;
  if (!node) return undefined;
  const { name = "rookery", images, logger = silentLogger } = node;
  // Loaded only here: most servers have none.
  const { startNode } = await import("../node/start-node.ts");
  return once(
    await startNode({
      ...{ name, client, images, podCidr, now, logger, onError },
      folder: join(data, "node"),
      api: { host: reachableHost(address), port, ca: () => pki.ca.certificate },
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
