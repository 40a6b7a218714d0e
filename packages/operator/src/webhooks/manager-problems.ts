import type { ManagerSpec } from "@rookery/components";
import {
  type Duration,
  FieldError,
  type FieldPath,
  ParseError,
  parseDuration,
} from "@rookery/kube";

/** client-go adds up to 20 % to the retry period. */
const jitterTenths = 12n;

/** The errors of a manager that a structural schema does not find. */
export function managerProblems(manager: ManagerSpec, path: FieldPath): FieldError[] {
  const { leaderElection = {}, syncPeriod, gracefulShutDown, featureGates = {} } = manager;
  const { leaseDuration, renewDeadline, retryPeriod } = leaderElection;
  const periods: readonly (readonly [FieldPath, unknown])[] = [
    [path.child("syncPeriod"), syncPeriod],
    [path.child("gracefulShutDown"), gracefulShutDown],
    ...Object.entries({ leaseDuration, renewDeadline, retryPeriod }).map(
      ([name, value]) => [path.child("leaderElection", name), value] as const,
    ),
  ];
  const unreadable = periods.flatMap(([field, value]) => periodProblems(field, value));
  return [
    ...unreadable,
    ...(unreadable.length > 0
      ? []
      : electionProblems(leaderElection, path.child("leaderElection"))),
    ...Object.keys(featureGates).flatMap((gate) => gateProblems(gate, path.child("featureGates"))),
  ];
}

/** The schema checks the form of a duration, but not its range. */
function periodProblems(field: FieldPath, value: unknown): FieldError[] {
  if (typeof value !== "string" || isPeriod(value)) return [];
  return [
    FieldError.invalid(field, value, "must be a duration, such as 10m, of less than 290 years"),
  ];
}

function isPeriod(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}

/** A manager does not start with inconsistent periods. */
function electionProblems(
  election: NonNullable<ManagerSpec["leaderElection"]>,
  path: FieldPath,
): FieldError[] {
  const read = (text: string | undefined): Duration | undefined =>
    text === undefined ? undefined : parseDuration(text);
  const { leaseDuration, renewDeadline, retryPeriod } = election;
  const [lease, renew, retry] = [read(leaseDuration), read(renewDeadline), read(retryPeriod)];
  const field = path.child("renewDeadline");
  const isLate = lease !== undefined && renew !== undefined && renew >= lease;
  const isEarly = renew !== undefined && retry !== undefined && renew * 10n <= retry * jitterTenths;
  return [
    ...(isLate
      ? [FieldError.invalid(field, renewDeadline, "must be less than leaseDuration")]
      : []),
    ...(isEarly
      ? [FieldError.invalid(field, renewDeadline, "must be more than 1.2 times retryPeriod")]
      : []),
  ];
}

function gateProblems(gate: string, path: FieldPath): FieldError[] {
  if (/^[A-Za-z][\w.-]*$/.test(gate)) return [];
  return [FieldError.invalid(path, gate, "must be the name of a feature gate")];
}
