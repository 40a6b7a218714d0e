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
  type FailedReconcile,
  type Request,
} from "@rookery/runtime";
import { findingOf } from "./error-findings.ts";

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
    findingOf,
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
    findingOf,
  });
  return report(failed);
}
