import {
  type Clock,
  type ConditionStatement,
  type Finding,
  getCondition,
  isFalse,
  type KubeObject,
  withConditions,
} from "@rookery/kube";
import {
  type Commit,
  createErrorReporter,
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
export function statementOf(error: unknown): Finding | undefined {
  if (error instanceof ComponentError || error instanceof ControlPlaneError) {
    return isFalse(error.reason, error.message);
  }
  if (error instanceof ServiceRangeError) {
    return isFalse("CertificateUnsuitable", error.message);
  }
  if (error instanceof EtcdRequestError) {
    // A tenant's pod chooses its own words.
    const message = "a member of etcd did not do what it was asked; the manager's log says more";
    return isFalse("RequestFailed", message);
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
    withFinding: (object, statement) => {
      const statements = types.map((type) => ({ type, ...statement }));
      return withConditions(object, statements, clock);
    },
    findingOf: statementOf,
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
    withFinding: (component, statement) => {
      const serves = getCondition(component.status?.conditions, "Ready")?.status === "True";
      const of = (type: string): ConditionStatement => ({ type, ...statement });
      const statements = [of("UpToDate"), ...(serves ? [] : [of("Ready")])];
      return withConditions(component, statements, clock);
    },
    findingOf: statementOf,
  });
  return report(failed);
}
