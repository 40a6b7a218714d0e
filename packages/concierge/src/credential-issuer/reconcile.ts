import type { CredentialIssuer } from "@rookery/api";
import type { Clock, ObjectKey } from "@rookery/kube";
import { type Commit, done, errorFinding, type Reconcile } from "@rookery/runtime";
import type { StrategyReport } from "../signing/strategy.ts";
import type { ClusterInfo } from "./phases/read-cluster-info.ts";
import { statusFor } from "./policies.ts";

/** What one reconcile needs. */
export interface CredentialIssuerScope {
  /** The one that is made where there is none. */
  readonly ownName: string;
  readonly create: (name: string, signal: AbortSignal) => Promise<void>;
  readonly get: (key: ObjectKey, signal: AbortSignal) => Promise<CredentialIssuer | undefined>;
  readonly reports: () => readonly StrategyReport[] | undefined;
  readonly clusterInfo: (signal: AbortSignal) => Promise<ClusterInfo | undefined>;
  readonly commit: Commit<CredentialIssuer>;
  readonly now: Clock;
}

/** Writes how certificates are signed into the status of a CredentialIssuer. */
export function createReconcile(scope: CredentialIssuerScope): Reconcile {
  return async (request, signal) => {
    const issuer = await scope.get(request, signal);
    if (!issuer) {
      if (request.name === scope.ownName) await scope.create(request.name, signal);
      return done;
    }
    const reports = scope.reports();
    // What signs tells when it has been checked.
    if (!reports) return done;
    const found = await scope.clusterInfo(signal).then(
      (clusterInfo) => ({ reports, clusterInfo, error: undefined }),
      (error: unknown) => {
        if (signal.aborted) throw error;
        const told = reports.map((one) => withoutInfo(one, error));
        return { reports: told, clusterInfo: undefined, error };
      },
    );
    const status = statusFor(issuer.status, found, scope.now);
    await scope.commit(issuer, { ...issuer, status }, { signal });
    if (found.error !== undefined) throw found.error;
    return done;
  };
}

/** What signs may work, but nobody can be told where to ask for it. */
function withoutInfo(report: StrategyReport, error: unknown): StrategyReport {
  if (report.status !== "Success") return report;
  const { message } = errorFinding(error);
  return { ...report, status: "Error", reason: "CouldNotGetClusterInfo", message };
}
