import type { Provider } from "@rookery/api";
import { type Finding, getCondition, isFalse, isTrue } from "@rookery/kube";
import { done, type Result, requeueAfter } from "@rookery/runtime";
import {
  findingOf,
  type ProviderFindings,
  readiness,
  withFindings,
} from "../conditions/findings.ts";
import { conditionTypes, isProgress, type Reason } from "../conditions/reasons.ts";
import type { PhaseError } from "../errors.ts";
import { namespacesOf } from "../identity/namespace-set.ts";
import type { InstanceWarning } from "../instances/family.ts";
import type { InstallState } from "../state/install-state.ts";
import { installedRelease } from "../state/state-secrets.ts";
import type { Progress } from "./progress.ts";
import type { ProviderScope } from "./scope.ts";

export interface Report {
  /** In the order in which they happened. */
  readonly failures: readonly PhaseError[];
  /** Undefined if the install phases failed. */
  readonly progress: Progress | undefined;
  /** Whether the recorded release is the one that the spec requests. */
  readonly isWanted: boolean;
  /** For the Warning condition; absent if nothing was checked. */
  readonly warnings?: readonly InstanceWarning[];
}

/** The next reconcile, at the earliest of all times. */
export function resultOf(
  { failures, progress }: Pick<Report, "failures"> & Partial<Report>,
  againSeconds?: number,
): Result {
  const times = [
    againSeconds,
    ...failures.map(({ retryAfterSeconds }) => retryAfterSeconds),
    progress?.requeueAfterSeconds,
  ].filter((seconds) => seconds !== undefined);
  return times.length === 0 ? done : requeueAfter(Math.min(...times));
}

type ReportTarget = Pick<
  ProviderScope,
  "provider" | "commit" | "operatorMetrics" | "recorder" | "clock"
>;

/** Writes the status with one commit, and records events for what changed. */
export async function commitReport(scope: ProviderScope, report: Report): Promise<void> {
  const findings = findingsOf(scope.record.state, report);
  await commitStatus(scope, withStatus(scope, { ...findings, Ready: readiness(findings) }));
}

/** Reports why the deletion waits, and the state of a provider that is kept until then. */
export async function commitDeletion(
  scope: ProviderScope,
  error: PhaseError,
  report: Report | undefined,
): Promise<void> {
  const findings = report && findingsOf(scope.record.state, report);
  const Deleting = isTrue(error.reason, error.message);
  await commitStatus(scope, withStatus(scope, { ...findings, Deleting, Ready: findingOf(error) }));
}

export async function commitPreflightFailure(
  target: ReportTarget,
  error: PhaseError,
): Promise<void> {
  const { provider, clock } = target;
  const finding = findingOf(error);
  const findings = { [error.condition]: finding, Ready: finding };
  await commitStatus(target, withFindings(provider, findings, clock));
}

function withStatus(
  { provider, record, clock }: ProviderScope,
  findings: ProviderFindings,
): Provider {
  const stated = withFindings(provider, findings, clock);
  return { ...stated, status: withInstalled(stated.status ?? {}, record.state) };
}

async function commitStatus(target: ReportTarget, desired: Provider): Promise<void> {
  const { provider, operatorMetrics } = target;
  await target.commit(provider, desired, { ownedConditions: conditionTypes });
  operatorMetrics.observe(provider, desired);
  recordEvents(target, desired);
}

function findingsOf(state: InstallState, report: Report): ProviderFindings {
  const { failures, progress, isWanted, warnings = [] } = report;
  const passed = passedPhases(state, failures, isWanted);
  const failed = Object.fromEntries(
    failures.toReversed().map((failure) => [failure.condition, findingOf(failure)]),
  );
  return {
    ...passed,
    ...(progress && { ProviderInstalled: progress.installed }),
    ...(progress?.available && { ProviderAvailable: progress.available }),
    ...(state.lastGood && { ProviderUpgraded: upgrade(state, failures, isWanted) }),
    Warning: warningOf(state, warnings),
    ...failed,
  };
}

/** One condition for all warnings, with the reason of the first. */
function warningOf(
  { release }: InstallState,
  found: readonly InstanceWarning[],
): Finding<Reason> | undefined {
  const { warnings: ignored = [], assumptions = [], adopted } = release ?? {};
  const ignoredReason: Reason = adopted ? "MigrationIncomplete" : "SpecPartlyIgnored";
  const warnings = [
    ...found,
    ...assumptions.map((message) => ({ reason: "FlagsAssumed" as const, message })),
    ...ignored.map((message) => ({ reason: ignoredReason, message })),
  ];
  const [first] = warnings;
  if (first === undefined) return undefined;
  const message = warnings.map((one) => one.message).join("; ");
  return isTrue(first.reason, message);
}

const isPassed = isTrue<Reason>("PreflightChecksPassed");
const isFetched = isTrue<Reason>("Fetched");

/** Conditions of the phases before the failed one. */
function passedPhases(
  { release }: InstallState,
  [failure]: readonly PhaseError[],
  isWanted: boolean,
): ProviderFindings {
  if (isWanted && release) return { PreflightCheckPassed: isPassed, ProviderFetched: isFetched };
  if (failure === undefined || failure.condition === "PreflightCheckPassed") return {};
  const isLater = failure.condition !== "ProviderFetched";
  return { PreflightCheckPassed: isPassed, ...(isLater && { ProviderFetched: isFetched }) };
}

function upgrade(
  { phase, release, lastGood, failed }: InstallState,
  failures: readonly PhaseError[],
  isWanted: boolean,
): Finding<Reason> {
  const isBack = phase === "Stable" || phase === "Verifying";
  if (failed) {
    const isUnderWay = failed.outcome === "RolledBack" && !isBack;
    return isFalse(isUnderWay ? "RollingBack" : failed.outcome, failed.message);
  }
  const [failure] = failures;
  if (!isWanted && failure) return findingOf(failure);
  const isSame = release?.id === lastGood?.id && (phase === "Redividing" || phase === "Verifying");
  if (release && (phase === "Stable" || isSame)) return isTrue("Upgraded");
  const message = `changing from ${lastGood?.version} to ${release?.version ?? "what the spec asks for"}`;
  return isFalse("Upgrading", message);
}

type ProviderStatus = NonNullable<Provider["status"]>;

function withInstalled(status: ProviderStatus, state: InstallState): ProviderStatus {
  const { installedVersion: _, contract: __, watch: ___, ...rest } = status;
  const installed = installedRelease(state);
  if (installed === undefined) return rest;
  const { version, contract } = installed;
  const { layout } = state;
  const watch = layout && {
    by: layout.by,
    first: layout.first,
    rbac: layout.rbac,
    ...namespacesOf(layout.scope),
  };
  return { ...rest, installedVersion: version, contract, ...(watch && { watch }) };
}

/** Records an event for each change of the Warning and the Ready condition. */
function recordEvents({ provider, recorder }: ReportTarget, { status }: Provider): void {
  const changed = (type: "Warning" | "Ready") => {
    const before = getCondition(provider.status?.conditions, type);
    const now = getCondition(status?.conditions, type);
    return before?.reason === now?.reason && before?.message === now?.message ? undefined : now;
  };
  const warning = changed("Warning");
  if (warning) {
    recorder.event(provider, { type: "Warning", reason: warning.reason, note: warning.message });
  }
  const ready = changed("Ready");
  if (ready === undefined) return;
  const { reason, message } = ready;
  const isReady = ready.status === "True";
  const note = isReady ? `${status?.installedVersion} is installed and available` : message;
  const type = isReady || isProgress(reason) ? "Normal" : "Warning";
  recorder.event(provider, { type, reason, note });
}
