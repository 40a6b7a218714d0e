import type { Clock, ObjectKey } from "@rookery/kube";
import {
  type Commit,
  done,
  type Reconcile,
  ReconcileTimeoutError,
  requeueAfter,
} from "@rookery/runtime";
import { type AuthenticatorObject, recheckAfter, statusFor } from "./policies.ts";
import type { AuthenticatorRegistry, Examination } from "./registry.ts";

export interface ExamineDependencies<T extends AuthenticatorObject> {
  readonly get: (key: ObjectKey, signal: AbortSignal) => Promise<T | undefined>;
  readonly check: (object: T, signal: AbortSignal) => Promise<Examination>;
  readonly registry: AuthenticatorRegistry;
}

/** On every replica: examines an object, and keeps what can be used for it. */
export function createExamination<T extends AuthenticatorObject>(
  dependencies: ExamineDependencies<T>,
): Reconcile {
  const { get, check, registry } = dependencies;
  return async (request, signal) => {
    const object = await get(request, signal);
    if (object === undefined) {
      registry.delete(request.name);
      return done;
    }
    const examination = await check(object, signal);
    const { unforeseen } = examination;
    // Of a replica that ends, nothing is to be said.
    const isEnding = signal.aborted && !(signal.reason instanceof ReconcileTimeoutError);
    if (!isEnding) registry.put(object, examination);
    if (unforeseen !== undefined) throw unforeseen;
    return requeueAfter(recheckAfter(examination.findings));
  };
}

export interface ReportDependencies<T extends AuthenticatorObject>
  extends Pick<ExamineDependencies<T>, "get" | "registry"> {
  readonly commit: Commit<T>;
  readonly now: Clock;
}

/** On the replica that leads: writes what it has found out into the status. */
export function createReport<T extends AuthenticatorObject>(
  dependencies: ReportDependencies<T>,
): Reconcile {
  const { get, registry, commit, now } = dependencies;
  return async (request, signal) => {
    const object = await get(request, signal);
    const examination = object && registry.find(object);
    // The registry tells when it is examined.
    if (!examination) return done;
    const { findings } = examination;
    const desired = { ...object, status: statusFor(object, findings, now) };
    await commit(object, desired, { signal, ownedConditions: findings.map(({ type }) => type) });
    return done;
  };
}
