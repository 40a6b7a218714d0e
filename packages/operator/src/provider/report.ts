import type { Provider } from "@rookery/api";
import { type Finding, getCondition, isFalse, isTrue } from "@rookery/kube";
import {
  findingOf,
  type ProviderFindings,
  readiness,
  withFindings,
} from "../conditions/findings.ts";
import { conditionTypes, isProgress, type Reason } from "../conditions/reasons.ts";
import type { PhaseError } from "../errors.ts";
import type { InstanceWarning } from "../instances/instance-warning.ts";
import type { InstallState } from "../state/install-state.ts";
import type { InstanceLayout } from "../state/instance-layout.ts";
import { installedRelease } from "../state/state-secrets.ts";
import type { Progress } from "./progress.ts";
import type { ProviderScope } from "./scope.ts";

/** What came of one reconcile. */
export interface Report {
  /** In the order in which they happened. */
  readonly failures: readonly PhaseError[];
  /** Undefined where it failed. */
  readonly progress: Progress | undefined;
  /** Whether the recorded release is the one that the spec asks for. */
  readonly isWanted: boolean;
  /** What is to be known of it and keeps nothing from working; absent where there is nothing to look at. */
  readonly warnings?: readonly InstanceWarning[];
}

/** Where a report goes. */
type ReportTarget = Pick<
  ProviderScope,
  "provider" | "commit" | "metrics" | "recorder" | "clock" | "signal"
>;

/** Writes what is known to the status, all at once, and tells of what is new. */
export async function commitReport(scope: ProviderScope, report: Report): Promise<void> {
  const findings = findingsOf(scope.record.state, report);
  await write(scope, stating(scope, { ...findings, Ready: readiness(findings) }));
}

/** Says why a provider that was asked to go is still there, and how it is as long as nothing of it goes. */
export async function commitDeletion(
  scope: ProviderScope,
  error: PhaseError,
  report: Report | undefined,
): Promise<void> {
  const Ready = findingOf(error);
  const findings = report && findingsOf(scope.record.state, report);
  await write(
    scope,
    stating(scope, { ...findings, Deleting: isTrue(error.reason, error.message), Ready }),
  );
}

/** The provider with findings, and with what is in the cluster. */
function stating({ provider, record, clock }: ProviderScope, findings: ProviderFindings): Provider {
  const stated = withFindings(provider, findings, clock);
  return { ...stated, status: withInstalled(stated.status ?? {}, record.state) };
}

/** Says what the operator itself may not do, where that kept it from all else. */
export async function commitRefusal(target: ReportTarget, error: PhaseError): Promise<void> {
  const { provider, clock } = target;
  const refused = findingOf(error);
  const findings = { [error.condition]: refused, Ready: refused };
  await write(target, withFindings(provider, findings, clock));
}

async function write(scope: ReportTarget, desired: Provider): Promise<void> {
  const { provider, signal } = scope;
  await scope.commit(provider, desired, { ownedConditions: conditionTypes, signal });
  scope.metrics.observe(provider, desired);
  tell(scope, desired);
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

/** All that is to be known, by the reason of what matters most. */
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

/** What was done before something failed, or all of it. */
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
  const watch = state.layout && watchStatus(state.layout);
  return { ...rest, installedVersion: version, contract, ...(watch && { watch }) };
}

function watchStatus(layout: InstanceLayout): NonNullable<ProviderStatus["watch"]> {
  const { by, first, rbac, scope } = layout;
  const watch = { by, first, rbac };
  if (scope.type === "all") return watch;
  const names = [...scope.namespaces];
  return scope.type === "namespaces"
    ? { ...watch, namespaces: names }
    : { ...watch, excludedNamespaces: names };
}

/** One event for each change of what keeps the provider from being ready, or of its being so, and of warnings. */
function tell(target: ReportTarget, desired: Provider): void {
  recordWarning(target, desired);
  recordReadiness(target, desired);
}

function recordWarning({ provider, recorder }: ReportTarget, { status }: Provider): void {
  const before = getCondition(provider.status?.conditions, "Warning");
  const now = getCondition(status?.conditions, "Warning");
  if (now === undefined || (before?.reason === now.reason && before.message === now.message))
    return;
  recorder.event(provider, { type: "Warning", reason: now.reason, note: now.message });
}

function recordReadiness({ provider, recorder }: ReportTarget, { status }: Provider): void {
  const before = getCondition(provider.status?.conditions, "Ready");
  const now = getCondition(status?.conditions, "Ready");
  if (now === undefined || (before?.reason === now.reason && before.message === now.message))
    return;
  const { reason, message } = now;
  const isReady = now.status === "True";
  const note = isReady ? `${status?.installedVersion} is installed and available` : message;
  recorder.event(provider, { type: isReady ? "Normal" : typeOf(reason), reason, note });
}

function typeOf(reason: string): "Normal" | "Warning" {
  return isProgress(reason) ? "Normal" : "Warning";
}
