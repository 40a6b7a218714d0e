import {
  type Clock,
  type ConditionStatement,
  getCondition,
  type KubeObject,
  withConditions,
} from "@rookery/kube";
import {
  type Commit,
  createErrorReporter,
  type ErrorStatement,
  type FailedReconcile,
  type Request,
} from "@rookery/runtime";
import {
  ComponentError,
  ControlPlaneError,
  EtcdRequestError,
  ServiceRangeError,
} from "./errors.ts";

/** What the provider's own errors mean, by type; the runtime knows all others. */
export function statementOf(error: unknown): ErrorStatement | undefined {
  if (error instanceof ComponentError || error instanceof ControlPlaneError) {
    return { reason: error.reason, message: error.message };
  }
  if (error instanceof ServiceRangeError) {
    return { reason: "CertificateUnsuitable", message: error.message };
  }
  if (error instanceof EtcdRequestError) {
    // A tenant's pod chooses its own words.
    const message = "a member of etcd did not do what it was asked; the manager's log says more";
    return { reason: "RequestFailed", message };
  }
  return undefined;
}

type Conditioned = KubeObject & Parameters<typeof withConditions>[0];

interface Reported<T extends Conditioned> {
  readonly get: (key: Request) => Promise<T | undefined>;
  readonly commit: Commit<T>;
  readonly clock: Clock;
}

/** Writes why a reconcile failed into one condition of its object. */
export function reportError<T extends Conditioned>(
  failed: FailedReconcile,
  { get, commit, clock }: Reported<T>,
  types: readonly string[] = ["Ready"],
): Promise<void> {
  const report = createErrorReporter<T>({
    get,
    commit,
    withStatement: (object, statement) => {
      const statements = types.map((type) => ({ type, status: "False" as const, ...statement }));
      return withConditions(object, statements, clock);
    },
    statementOf,
  });
  return report(failed);
}

/** The same of a component: what serves goes on serving while the manager fails. */
export function reportComponentError<T extends Conditioned>(
  failed: FailedReconcile,
  { get, commit, clock }: Reported<T>,
): Promise<void> {
  const report = createErrorReporter<T>({
    get,
    commit,
    withStatement: (component, statement) => {
      const serves = getCondition(component.status?.conditions, "Ready")?.status === "True";
      const of = (type: string): ConditionStatement => ({ type, status: "False", ...statement });
      const statements = [of("UpToDate"), ...(serves ? [] : [of("Ready")])];
      return withConditions(component, statements, clock);
    },
    statementOf,
  });
  return report(failed);
}
