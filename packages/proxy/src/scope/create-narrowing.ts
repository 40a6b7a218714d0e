import { type ClientConfig, createClient } from "@rookery/client";
import type { Interceptor } from "@rookery/http";
import { detectOwnNamespace, type HealthCheck, type Runnable } from "@rookery/runtime";
import type { ProxyState } from "../certificates/proxy-state.ts";
import type { ProxyParts } from "../proxy-parts.ts";
import { createKinds } from "./kinds.ts";
import { createKnownNamespaces } from "./known-namespaces.ts";
import { narrowScope } from "./narrow-scope.ts";

const anyKind = { group: "", version: "v1", resource: "namespaces" };

/** What narrows, and what it takes beside it. */
export interface Narrowing {
  readonly interceptor: Interceptor;
  readonly runnables: readonly Runnable[];
  readonly readiness: readonly (readonly [name: string, check: HealthCheck])[];
  close(): Promise<void>;
}

/**
 * Narrows what the app sees as the flags say; undefined where they leave nothing out, so that it costs
 * nothing. It asks the API server with the proxy's own identity which kinds and namespaces there are.
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
      // Asked for before the app asks, and kept fresh by whoever looks whether the proxy is ready.
      ["kinds", async () => void (await kinds.scopeOf(anyKind))],
      ...(known ? [["namespaces", known.knownCheck] as const] : []),
    ],
    close: () => client.destroy(),
  };
}
