import type { CredentialIssuer } from "@rookery/api";
import { type Clock, deepEqual, formatTime } from "@rookery/kube";
import type { StrategyReport } from "../signing/strategy.ts";
import type { ClusterInfo } from "./phases/read-cluster-info.ts";

type Status = NonNullable<CredentialIssuer["status"]>;

/** The strategies, and the address of the API server if it is known. */
export interface SigningState {
  readonly reports: readonly StrategyReport[];
  readonly clusterInfo: ClusterInfo | undefined;
}

/** The status of a CredentialIssuer; a time changes only together with its strategy. */
export function statusFor(
  before: Status | undefined,
  { reports, clusterInfo }: SigningState,
  now: Clock,
): Status {
  const frontend = clusterInfo && {
    type: "TokenCredentialRequestAPI" as const,
    tokenCredentialRequestInfo: clusterInfo,
  };
  const strategies = reports.map((report) => {
    const strategy = { ...report, ...(report.status === "Success" && frontend && { frontend }) };
    const former = before?.strategies.find(({ type }) => type === report.type);
    const { lastUpdateTime = "", ...rest } = former ?? {};
    const isSame = deepEqual(rest, strategy);
    return { ...strategy, lastUpdateTime: isSame ? lastUpdateTime : formatTime(now()) };
  });
  return { strategies };
}
