import type { Provider } from "@rookery/api";
import { isForbidden } from "@rookery/kube";
import {
  createLifecycle,
  done,
  type Lifecycle,
  type Outcome,
  type Result,
  requeueAfter,
} from "@rookery/runtime";
import { PhaseError } from "../errors.ts";
import { advance } from "./advance.ts";
import { releaseRights } from "./phases/release-rights.ts";
import { removeProvider } from "./phases/remove-provider.ts";
import { commitDeletion, commitRefusal, commitReport, type Report } from "./report.ts";
import { type ProviderScope, providerScope, type ReconcileScope } from "./scope.ts";

/** Keeps a provider until its components are gone. */
const providerFinalizer = "management.cluster.x-k8s.io/provider";

const phases = createLifecycle<Provider, ReconcileScope>({
  finalizer: providerFinalizer,
  provision,
  remove,
  removed: (provider, { metrics, prerendered }) => {
    metrics.forget(provider);
    prerendered.forget(provider);
  },
});

/** Reconciles a provider object with the cluster; what the operator may not do becomes a condition. */
export const providerLifecycle: Lifecycle<ReconcileScope> = {
  async reconcile(request, scope) {
    try {
      return await phases.reconcile(request, scope);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      const provider = await scope.get(request);
      if (provider === undefined) return done;
      await commitRefusal({ ...scope, provider }, refusal);
      return resultOf({ failures: [refusal] });
    }
  },
};

async function provision(provider: Provider, scope: ReconcileScope): Promise<Outcome<Provider>> {
  const current = await providerScope(provider, scope);
  const report = await advance(current);
  if (report === undefined) return { object: provider };
  await commitReport(current, report);
  const { againSeconds } = scope.namespaceWarnings;
  return { object: provider, result: resultOf(report, report.warnings && againSeconds) };
}

async function remove(
  provider: Provider,
  scope: ReconcileScope,
): Promise<Outcome<Provider> | "removed"> {
  const current = await providerScope(provider, scope);
  try {
    await removeProvider(current);
  } catch (error) {
    if (!(error instanceof PhaseError)) throw error;
    return { object: provider, result: await stay(current, error) };
  }
  return "removed";
}

/** Until its components go, others use them. */
async function stay(scope: ProviderScope, error: PhaseError): Promise<Result> {
  const isStaying = scope.record.state.phase !== "Deleting";
  const report = isStaying ? await advance(scope) : undefined;
  const rightsSeconds = isStaying ? undefined : await releaseRights(scope);
  await commitDeletion(scope, error, report);
  const failures = [error, ...(report?.failures ?? [])];
  return resultOf({ ...report, failures }, rightsSeconds);
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
