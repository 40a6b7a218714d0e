import { type Client, type ClientConfig, createClient } from "@rookery/client";
import type { Interceptor } from "@rookery/http";
import { builtInResources, findStatusError, isForbidden } from "@rookery/kube";
import {
  createInformer,
  detectOwnNamespace,
  type HealthCheck,
  type Logger,
  type MonotonicClock,
  metadataOnlyClient,
  type Runnable,
} from "@rookery/runtime";
import type { ProxyState } from "../certificates/proxy-state.ts";
import { NamespacesNotKnownError } from "../errors.ts";
import type { ProxyParts } from "../proxy-parts.ts";
import { createKinds } from "./kinds.ts";
import { narrowScope } from "./narrow-scope.ts";

const { namespaces } = builtInResources;

/** Watches the names of all namespaces. */
interface KnownNamespaces extends Runnable {
  names(): readonly string[];
  /** Fails until the namespaces are known, or known to be forbidden. */
  readonly knownCheck: HealthCheck;
}

interface KnownNamespacesOptions {
  readonly client: Client;
  readonly logger: Logger;
  readonly clock: MonotonicClock;
}

/** Without the right to list Namespaces, all objects are fetched and filtered here. */
function createKnownNamespaces(options: KnownNamespacesOptions): KnownNamespaces {
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
      logger.info("The proxy filters objects of other namespaces instead of the API server", {
        why: "this identity may not list Namespaces; let it get, list and watch them",
      });
      await aborted(signal);
    },
  };
}

/** The informer retries after other errors. */
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

const anyKind = { group: "", version: "v1", resource: "namespaces" };

/** An interceptor with its runnables and checks. */
export interface Narrowing {
  readonly interceptor: Interceptor;
  readonly runnables: readonly Runnable[];
  readonly readiness: readonly (readonly [name: string, check: HealthCheck])[];
  close(): Promise<void>;
}

/**
 * Restricts what the app sees as the flags say; undefined without a scope. Asks the API server for
 * kinds and namespaces with the proxy's own identity.
 */
export async function createNarrowing(
  parts: ProxyParts,
  { config, state }: { readonly config: ClientConfig; readonly state: ProxyState },
): Promise<Narrowing | undefined> {
  const { flags, clock } = parts;
  const { scope } = flags;
  if (scope.type === "all") return undefined;
  const logger = parts.logger.withName("scope");
  const client = createClient(config, { userAgent: "rookery-proxy" });
  const known =
    scope.type === "namespaces" ? createKnownNamespaces({ client, logger, clock }) : undefined;
  const kinds = createKinds({ discovery: client.discovery, clock, logger });
  const interceptor = narrowScope({
    scope,
    ownNamespace: flags.ownNamespace || (await detectOwnNamespace()),
    knownNamespaces: () => known?.names() ?? [],
    kinds,
    continueKey: await state.continueKey(),
    metrics: parts.listenerMetrics("app"),
  });
  return {
    interceptor,
    runnables: known ? [known] : [],
    readiness: [
      // Fetches the kinds before the app's first request, and refreshes them with each probe.
      ["kinds", async () => void (await kinds.scopeOf(anyKind))],
      ...(known ? [["namespaces", known.knownCheck] as const] : []),
    ],
    close: () => client.destroy(),
  };
}
