import type { Client } from "@rookery/client";
import { builtInResources, findStatusError, isForbidden } from "@rookery/kube";
import {
  createInformer,
  type HealthCheck,
  type Logger,
  type MonotonicClock,
  metadataOnlyClient,
  type Runnable,
} from "@rookery/runtime";
import { NamespacesNotKnownError } from "../errors.ts";

const { namespaces } = builtInResources;

/** Knows which namespaces there are, while it runs. */
export interface KnownNamespaces extends Runnable {
  names(): readonly string[];
  /** Fails until they are known for the first time, or it is known that nobody may know them. */
  readonly knownCheck: HealthCheck;
}

export interface KnownNamespacesOptions {
  readonly client: Client;
  readonly logger: Logger;
  readonly clock: MonotonicClock;
}

/** Without the right to list Namespaces all objects come this far, and are dropped here. */
export function createKnownNamespaces(options: KnownNamespacesOptions): KnownNamespaces {
  const { client, logger, clock } = options;
  const listWatch = metadataOnlyClient(client.handler, namespaces);
  const informer = createInformer({ resource: namespaces, listWatch, logger, clock });
  let isForbiddenToKnow = false;
  return {
    name: "known namespaces",
    group: "caches",
    names: () => informer.list().flatMap(({ metadata }) => metadata.name ?? []),
    knownCheck: async () => {
      if (!informer.hasSynced && !isForbiddenToKnow) throw new NamespacesNotKnownError();
    },
    async start(signal) {
      isForbiddenToKnow = await mayNotList(client, signal);
      if (!isForbiddenToKnow) return informer.run(signal);
      logger.info("Objects of other namespaces are dropped here, not by the API server", {
        why: "this identity may not list Namespaces; let it get, list and watch them",
      });
      await aborted(signal);
    },
  };
}

/** Whatever else fails is tried again by the informer. */
async function mayNotList(client: Client, signal: AbortSignal): Promise<boolean> {
  try {
    await client.resource(namespaces).list({ limit: 1, signal });
    return false;
  } catch (error) {
    const known = findStatusError(error);
    return known !== undefined && isForbidden(known);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
