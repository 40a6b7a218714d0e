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
import { advance } from "./advance.ts";
import { releaseRights } from "./phases/release-rights.ts";
import { removeProvider } from "./phases/remove-provider.ts";
import { commitDeletion, commitRefusal, commitReport, type Report } from "./report.ts";
import { createScope, type ProviderDependencies } from "./scope.ts";

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
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
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
  const { againSeconds } = dependencies.divisionWarnings;
  return resultOf(report, report.warnings && againSeconds);
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
    // Until its components go, others use them.
    const isStaying = scope.record.state.phase !== "Deleting";
    const report = isStaying ? await advance(scope) : undefined;
    const rightsSeconds = isStaying ? undefined : await releaseRights(scope);
    await commitDeletion(scope, error, report);
    const failures = [error, ...(report?.failures ?? [])];
    return resultOf({ ...report, failures }, rightsSeconds);
  }
  await dependencies.commit(provider, withoutFinalizer(provider, providerFinalizer), { signal });
  dependencies.metrics.forget(provider);
  dependencies.drafts.forget(provider);
  return done;
}

/** Roles are not watched. */
const forbiddenRetrySeconds = 60;

/** What keeps a provider from all else. */
function refusalOf(error: unknown): PhaseError | undefined {
  if (error instanceof PhaseError) return error;
  return error instanceof Error && isForbidden(error) ? notAllowed(error) : undefined;
}

function notAllowed(cause: Error): PhaseError {
  const way = 'give its account the roles that "rookery operator rbac" prints for these components';
  return new PhaseError("PreflightCheckPassed", "NotAllowed", {
    message: `${cause.message}; ${way}`,
    retryAfterSeconds: forbiddenRetrySeconds,
    cause,
  });
}

function resultOf(
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
