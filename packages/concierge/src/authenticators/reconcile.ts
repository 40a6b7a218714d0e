import type { Clock } from "@rookery/kube";
import {
  done,
  type LifecycleScope,
  type ReconcileContext,
  ReconcileTimeoutError,
  type Request,
  type Result,
  requeueAfter,
} from "@rookery/runtime";
import { type AuthenticatorObject, recheckAfter, statusFor } from "./policies.ts";
import type { AuthenticatorRegistry, Examination } from "./registry.ts";

export interface ExaminationScope<T extends AuthenticatorObject>
  extends Pick<ReconcileContext<T>, "get" | "signal"> {
  readonly check: (object: T, signal: AbortSignal) => Promise<Examination>;
  readonly registry: AuthenticatorRegistry;
}

/** On every replica: examines an object, and keeps its authenticator. */
export async function examine<T extends AuthenticatorObject>(
  request: Request,
  { get, signal, check, registry }: ExaminationScope<T>,
): Promise<Result> {
  const object = await get(request);
  if (object === undefined) {
    registry.delete(request.name);
    return done;
  }
  const examination = await check(object, signal);
  const { unforeseen, statements } = examination;
  // Aborted checks of a replica that stops say nothing about the object.
  const isStopping = signal.aborted && !(signal.reason instanceof ReconcileTimeoutError);
  if (!isStopping) registry.put(object, examination);
  if (unforeseen !== undefined) throw unforeseen;
  return requeueAfter(recheckAfter(statements));
}

export interface ReportScope<T extends AuthenticatorObject> extends LifecycleScope<T> {
  readonly registry: AuthenticatorRegistry;
  readonly now: Clock;
}

/** On the leader: writes the result of the examination into the status. */
export async function report<T extends AuthenticatorObject>(
  request: Request,
  { get, commit, registry, now }: ReportScope<T>,
): Promise<Result> {
  const object = await get(request);
  const examination = object && registry.find(object);
  // After an examination the registry requests the object.
  if (!examination) return done;
  const { statements } = examination;
  const desired = { ...object, status: statusFor(object, statements, now) };
  await commit(object, desired, { ownedConditions: statements.map(({ type }) => type) });
  return done;
}
