import type { Clock, Resource } from "@rookery/kube";
import {
  type Controller,
  createController,
  createEventSource,
  createInformerSource,
  createResourceCommitter,
  enqueueRequestForObject,
  generationChanged,
  type Provider,
  type Source,
} from "@rookery/runtime";
import type { AuthenticatorObject } from "./policies.ts";
import { createExamination, createReport } from "./reconcile.ts";
import type { AuthenticatorRegistry, Examination } from "./registry.ts";

export type ControllerParts = Pick<Provider, "client" | "cache" | "metrics" | "logger"> & {
  readonly now: Clock;
};

export interface AuthenticatorKind<T extends AuthenticatorObject> {
  /** For logs and metrics: "jwtauthenticator". */
  readonly name: string;
  readonly resource: Resource;
  readonly registry: AuthenticatorRegistry;
  readonly check: (object: T, signal: AbortSignal) => Promise<Examination>;
  readonly concurrency: number;
}

/**
 * The controllers of one kind of authenticators: one examines on every replica, because each of them
 * takes tokens; the other writes the status where this replica leads.
 */
export function createAuthenticatorControllers<T extends AuthenticatorObject>(
  kind: AuthenticatorKind<T>,
  parts: ControllerParts,
): readonly Controller[] {
  const { name, registry, concurrency } = kind;
  const { client, cache, metrics, logger, now } = parts;
  const commit = createResourceCommitter(client.resource<T>(kind.resource));
  const informer = cache.informerFor<T>(kind.resource);
  const handler = enqueueRequestForObject<T>();
  const get = (key: { name: string }, signal: AbortSignal) =>
    cache.get<T>(kind.resource, key, signal);
  const examine = createController({
    name,
    needLeaderElection: false,
    maxConcurrentReconciles: concurrency,
    sources: [createInformerSource({ informer, handler, predicates: [generationChanged] })],
    reconcile: createExamination({ get, check: kind.check, registry }),
    metrics: metrics.controller(name),
    logger,
  });
  const report = createController({
    name: `${name}-status`,
    sources: [createInformerSource({ informer, handler }), examinations(registry)],
    reconcile: createReport({ get, registry, commit, now }),
    metrics: metrics.controller(`${name}-status`),
    logger,
  });
  return [examine, report];
}

/** A request for each object that was examined. */
function examinations(registry: AuthenticatorRegistry): Source {
  return createEventSource({
    name: "examinations",
    handler: enqueueRequestForObject(),
    subscribe: (deliver, signal) =>
      registry.subscribe(
        (name) => deliver({ type: "generic", object: { metadata: { name } } }),
        signal,
      ),
  });
}
