import type { Clock, Resource } from "@rookery/kube";
import {
  type Controller,
  type ControllerParts,
  controllerFor,
  createEventSource,
  enqueueRequestForObject,
  generationChanged,
  type Source,
} from "@rookery/runtime";
import type { AuthenticatorObject } from "./policies.ts";
import { examine, report } from "./reconcile.ts";
import type { AuthenticatorRegistry, Examination } from "./registry.ts";

export interface AuthenticatorParts extends ControllerParts {
  readonly now: Clock;
}

export interface AuthenticatorKind<T extends AuthenticatorObject> {
  readonly resource: Resource;
  readonly registry: AuthenticatorRegistry;
  readonly check: (object: T, signal: AbortSignal) => Promise<Examination>;
  readonly concurrency: number;
}

/**
 * The controllers of one kind of authenticators. The first examines objects on every replica, because every
 * replica authenticates tokens. The second writes the status on the leader.
 */
export function createAuthenticatorControllers<T extends AuthenticatorObject>(
  { resource, registry, check, concurrency }: AuthenticatorKind<T>,
  parts: AuthenticatorParts,
): readonly Controller[] {
  const { now } = parts;
  const examining = controllerFor<T>(resource, parts, {
    concurrency,
    needLeaderElection: false,
    predicates: [generationChanged],
  });
  const reporting = controllerFor<T>(resource, parts, { name: `${resource.singular}-status` });
  return [
    examining.reconcile((request, { get, signal }) =>
      examine(request, { get, signal, check, registry }),
    ),
    reporting
      .from(examinations(registry))
      .reconcile((request, { get, commit }) => report(request, { get, commit, registry, now })),
  ];
}

/** Requests each object after its examination. */
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
