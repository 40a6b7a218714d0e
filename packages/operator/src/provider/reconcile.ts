import type { Provider } from "@rookery/api";
import { isForbidden } from "@rookery/kube";
import {
  done,
  hasFinalizer,
  isBeingDeleted,
  type Request,
  type Result,
  requeueAfter,
  withFinalizer,
  withoutFinalizer,
} from "@rookery/runtime";
import { PhaseError } from "../errors.ts";
import { checkUnpause } from "../preflight/preflight.ts";
import { unpause } from "./phases/pause.ts";
import { findLatestVersion, prepareRelease } from "./phases/prepare-release.ts";
import { proceed } from "./phases/proceed.ts";
import { removeProvider } from "./phases/remove-provider.ts";
import { needsNewRelease } from "./policies.ts";
import { not, type Progress } from "./progress.ts";
import { commitDeletion, commitRefusal, commitReport, type Report } from "./report.ts";
import { createScope, type ProviderDependencies, type ProviderScope } from "./scope.ts";

/** Keeps a provider until its components are gone. */
const providerFinalizer = "management.cluster.x-k8s.io/provider";

/** Brings what a provider object stands for to what it says. */
export async function reconcileProvider(
  request: Request,
  dependencies: ProviderDependencies,
  signal: AbortSignal,
): Promise<Result> {
  const found = await dependencies.getProvider(request);
  if (!found) return done;
  try {
    const work = isBeingDeleted(found) ? remove : bring;
    return await work(found, dependencies, signal);
  } catch (error) {
    if (!(error instanceof Error) || !isForbidden(error)) throw error;
    const refusal = notAllowed(error);
    await commitRefusal({ ...dependencies, provider: found, signal }, refusal);
    return resultOf({ failures: [refusal] });
  }
}

async function bring(
  found: Provider,
  dependencies: ProviderDependencies,
  signal: AbortSignal,
): Promise<Result> {
  const provider = await held(found, dependencies);
  const scope = await createScope(provider, dependencies, signal);
  const report = await advance(scope);
  if (report === undefined) return done;
  await commitReport(scope, report);
  return resultOf(report);
}

async function held(provider: Provider, { commit }: ProviderDependencies): Promise<Provider> {
  if (hasFinalizer(provider, providerFinalizer)) return provider;
  return commit(provider, withFinalizer(provider, providerFinalizer));
}

async function remove(
  provider: Provider,
  dependencies: ProviderDependencies,
  signal: AbortSignal,
): Promise<Result> {
  if (!hasFinalizer(provider, providerFinalizer)) return done;
  const scope = await createScope(provider, dependencies, signal);
  try {
    await removeProvider(scope);
  } catch (error) {
    if (!(error instanceof PhaseError)) throw error;
    await commitDeletion(scope, error);
    return resultOf({ failures: [error] });
  }
  await dependencies.commit(provider, withoutFinalizer(provider, providerFinalizer), { signal });
  dependencies.metrics.forget(provider);
  return done;
}

/** Undefined where the spec was changed: there is an event for that. */
async function advance(scope: ProviderScope): Promise<Report | undefined> {
  const { provider, record } = scope;
  const failures: PhaseError[] = [];
  const attempt = async <T>(step: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof PhaseError)) throw error;
      failures.push(error);
      return undefined;
    }
  };
  if (provider.spec?.paused !== true) await attempt(() => endPause(scope));
  const paused = provider.spec?.paused === true || failures.length > 0;
  if (needsNewRelease(provider, record.state, paused)) {
    const version = provider.spec?.version;
    if (version === undefined) {
      const isWritten = await attempt(() => writeLatestVersion(scope));
      if (isWritten) return undefined;
    } else {
      await attempt(() => prepareRelease(scope, version));
      // Said before it is done: what follows may take a while.
      if (failures.length === 0) return { failures, progress: beginning(scope), isWanted: true };
    }
  }
  const progress = await attempt(() => proceed(scope, paused));
  const isWanted = !needsNewRelease(provider, record.state, paused);
  return { failures, progress, isWanted };
}

function beginning({ record }: ProviderScope): Progress {
  const { phase, release } = record.state;
  const installed = not(
    phase === "Removing" ? "Removing" : "Installing",
    `${release?.version} is being installed`,
  );
  return { installed, requeueAfterSeconds: 0 };
}

/** Roles are not watched. */
const forbiddenRetrySeconds = 60;

function notAllowed(cause: Error): PhaseError {
  const way = 'give its account the roles that "rookery operator rbac" prints for these components';
  return new PhaseError("PreflightCheckPassed", "NotAllowed", {
    message: `${cause.message}; ${way}`,
    retryAfterSeconds: forbiddenRetrySeconds,
    cause,
  });
}

/** Rejects with a PhaseError where the provider has to stay paused. */
async function endPause(scope: ProviderScope): Promise<void> {
  if (scope.record.state.replicas === undefined) return;
  checkUnpause(scope.views());
  await unpause(scope);
}

async function writeLatestVersion(scope: ProviderScope): Promise<true> {
  const { provider, signal } = scope;
  const version = await findLatestVersion(scope);
  const spec = { ...provider.spec, version };
  await scope.commit(provider, { ...provider, spec }, { signal });
  return true;
}

function resultOf({ failures, progress }: Pick<Report, "failures"> & Partial<Report>): Result {
  const times = [
    ...failures.map(({ retryAfterSeconds }) => retryAfterSeconds),
    progress?.requeueAfterSeconds,
  ].filter((seconds) => seconds !== undefined);
  return times.length === 0 ? done : requeueAfter(Math.min(...times));
}
