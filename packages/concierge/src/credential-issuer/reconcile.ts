import type { CredentialIssuer } from "@rookery/api";
import { done, errorFinding, type Request, type Result } from "@rookery/runtime";
import { conciergeName } from "../names.ts";
import type { StrategyReport } from "../signing/strategy.ts";
import { type SigningState, statusFor } from "./policies.ts";
import type { CredentialIssuerScope } from "./scope.ts";

export async function reconcileCredentialIssuer(
  request: Request,
  scope: CredentialIssuerScope,
): Promise<Result> {
  const issuer = await scope.get(request);
  if (!issuer) {
    if (request.name === conciergeName) await scope.create(request.name);
    return done;
  }
  const reports = scope.reports();
  // At its end, the first check requests all CredentialIssuers.
  if (!reports) return done;
  const { error, ...state } = await signingState(reports, scope);
  const desired: CredentialIssuer = {
    ...issuer,
    status: statusFor(issuer.status, state, scope.now),
  };
  await scope.commit(issuer, desired);
  if (error !== undefined) throw error;
  return done;
}

/** The strategies and the address of the API server. Without the address no strategy works. */
async function signingState(
  reports: readonly StrategyReport[],
  { clusterInfo, signal }: CredentialIssuerScope,
): Promise<SigningState & { readonly error?: unknown }> {
  try {
    return { reports, clusterInfo: await clusterInfo() };
  } catch (error) {
    if (signal.aborted) throw error;
    const failed = reports.map((report) => withoutInfo(report, error));
    return { reports: failed, clusterInfo: undefined, error };
  }
}

/** A working strategy is reported as failed without the address of the API server. */
function withoutInfo(report: StrategyReport, error: unknown): StrategyReport {
  if (report.status !== "Success") return report;
  const { message } = errorFinding(error);
  return { ...report, status: "Error", reason: "CouldNotGetClusterInfo", message };
}
