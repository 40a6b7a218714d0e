import type { Provider } from "@rookery/api";
import { isFalse, isForbidden } from "@rookery/kube";
import {
  createLifecycle,
  done,
  isBeingDeleted,
  type Lifecycle,
  type Outcome,
} from "@rookery/runtime";
import { PhaseError } from "../errors.ts";
import { installedRelease } from "../state/state-secrets.ts";
import { applyRelease } from "./phases/apply-components.ts";
import { applyLayout } from "./phases/apply-layout.ts";
import { collectWarnings } from "./phases/collect-warnings.ts";
import { keepStable } from "./phases/keep-stable.ts";
import { pause, unpause } from "./phases/pause.ts";
import { findLatestVersion, prepareRelease } from "./phases/prepare-release.ts";
import { releaseRights } from "./phases/release-rights.ts";
import { removePreviousComponents } from "./phases/remove-components.ts";
import { removeProvider } from "./phases/remove-provider.ts";
import { updateLayout } from "./phases/update-layout.ts";
import { verifyRelease } from "./phases/verify-release.ts";
import { needsNewRelease } from "./policies.ts";
import { notInstalled, type Progress, requeuedWithin, withHeldNamespaces } from "./progress.ts";
import {
  commitDeletion,
  commitPreflightFailure,
  commitReport,
  type Report,
  resultOf,
} from "./report.ts";
import { type ProviderScope, providerScope, type ReconcileScope } from "./scope.ts";

const lifecycle = createLifecycle<Provider, ReconcileScope>({
  finalizer: "management.cluster.x-k8s.io/provider",
  provision,
  remove,
  removed: (provider, { operatorMetrics, prerendered }) => {
    operatorMetrics.forget(provider);
    prerendered.forget(provider);
  },
});

/** Reconciles a provider; also a request that the operator's roles do not allow becomes a condition. */
export const providerLifecycle: Lifecycle<ReconcileScope> = {
  async reconcile(request, scope) {
    try {
      return await lifecycle.reconcile(request, scope);
    } catch (error) {
      const failure = asPhaseError(error);
      if (failure === undefined) throw error;
      const provider = await scope.get(request);
      if (provider === undefined) return done;
      await commitPreflightFailure({ ...scope, provider }, failure);
      return resultOf({ failures: [failure] });
    }
  },
};

async function provision(provider: Provider, scope: ReconcileScope): Promise<Outcome<Provider>> {
  const current = await providerScope(provider, scope);
  const report = await runPhases(current);
  if (report === undefined) return { object: provider };
  await commitReport(current, report);
  const { againSeconds } = scope.namespaceWarnings;
  return { object: provider, result: resultOf(report, report.warnings && againSeconds) };
}

/** While the deletion has to wait and no component has been removed, the provider is kept running. */
async function remove(
  provider: Provider,
  scope: ReconcileScope,
): Promise<Outcome<Provider> | "removed"> {
  const current = await providerScope(provider, scope);
  try {
    await removeProvider(current);
    return "removed";
  } catch (error) {
    if (!(error instanceof PhaseError)) throw error;
    const isKept = current.record.state.phase !== "Deleting";
    const report = isKept ? await runPhases(current) : undefined;
    const rightsSeconds = isKept ? undefined : await releaseRights(current);
    await commitDeletion(current, error, report);
    const failures = [error, ...(report?.failures ?? [])];
    return { object: provider, result: resultOf({ ...report, failures }, rightsSeconds) };
  }
}

/**
 * Runs the phases of a provider, as far as possible without waiting. A phase that fails does not keep
 * later ones from running: while a new version cannot be fetched, drift of the old one is corrected.
 * A provider that is being deleted gets no new release. Returns undefined after a write of the spec,
 * whose event starts the next reconcile.
 */
async function runPhases(scope: ProviderScope): Promise<Report | undefined> {
  const { provider, record } = scope;
  const failures: PhaseError[] = [];
  const attempt = async <T>(phase: () => Promise<T>): Promise<T | undefined> =>
    phase().catch((error: unknown) => {
      if (!(error instanceof PhaseError)) throw error;
      failures.push(error);
      return undefined;
    });
  const isToPause = provider.spec?.paused === true;
  if (!isToPause) await attempt(() => unpause(scope));
  const paused = isToPause || failures.length > 0;
  const isWanted = () =>
    isBeingDeleted(provider) || !needsNewRelease(provider, record.state, paused);
  if (!isWanted()) {
    const change = await attempt(() => changeRelease(scope));
    if (change === "SpecWritten") return undefined;
    // The status is written before the next phases, which may take long.
    if (change) return withWarnings(scope, { failures, progress: change, isWanted: true });
  }
  const held = await attempt(() => updateLayout(scope));
  const installed = await attempt(() => install(scope, paused));
  const rightsSeconds = await attempt(() => releaseRights(scope));
  const progress =
    installed && requeuedWithin(rightsSeconds, withHeldNamespaces(installed, held ?? []));
  return withWarnings(scope, { failures, progress, isWanted: isWanted() });
}

async function withWarnings(scope: ProviderScope, report: Report): Promise<Report> {
  const warnings = await collectWarnings(scope);
  return warnings ? { ...report, warnings } : report;
}

/** Prepares the version of the spec; writes one into a spec that has none. Errors: PhaseError. */
async function changeRelease(scope: ProviderScope): Promise<Progress | "SpecWritten"> {
  const { provider, record } = scope;
  if (provider.spec?.version !== undefined) {
    await prepareRelease(scope, provider.spec.version);
    const { phase, release } = record.state;
    const reason = phase === "Removing" ? "Removing" : "Installing";
    const installed = isFalse(reason, `${release?.version} is being installed`);
    return { installed, requeueAfterSeconds: 0 };
  }
  // Removing the version from the spec does not request another one.
  const version = installedRelease(record.state)?.version ?? (await findLatestVersion(scope));
  await scope.commit(provider, { ...provider, spec: { ...provider.spec, version } });
  return "SpecWritten";
}

/**
 * Continues the recorded install from its phase, as far as possible without waiting. Every step can be
 * repeated, and is done before the next phase is recorded. Errors: PhaseError.
 */
async function install(scope: ProviderScope, paused: boolean): Promise<Progress> {
  for (;;) {
    const { phase, release } = scope.record.state;
    if (release === undefined) return notInstalled;
    if (paused && (phase === "Verifying" || phase === "Stable")) await pause(scope);
    switch (phase) {
      case "Removing":
      case "RollingBack": {
        const waiting = await removePreviousComponents(scope);
        if (waiting) return waiting;
        break;
      }
      case "Applying":
        await applyRelease(scope, paused);
        break;
      case "Redividing":
        await applyLayout(scope, paused);
        break;
      case "Verifying": {
        const waiting = await verifyRelease(scope, paused);
        if (waiting) return waiting;
        break;
      }
      case "Stable":
        return keepStable(scope, paused);
      case "Deleting":
        return notInstalled;
    }
  }
}

const forbiddenRetrySeconds = 60;

function asPhaseError(error: unknown): PhaseError | undefined {
  if (error instanceof PhaseError) return error;
  if (!(error instanceof Error) || !isForbidden(error)) return undefined;
  const way = 'give its account the roles that "rookery operator rbac" prints for these components';
  return new PhaseError("PreflightCheckPassed", "NotAllowed", {
    message: `${error.message}; ${way}`,
    retryAfterSeconds: forbiddenRetrySeconds,
    cause: error,
  });
}
