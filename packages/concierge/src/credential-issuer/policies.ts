import type { CredentialIssuer } from "@rookery/api";
import { type Clock, deepEqual, formatTime } from "@rookery/kube";
import type { StrategyReport } from "../signing/strategy.ts";
import type { ClusterInfo } from "./phases/read-cluster-info.ts";

type Status = NonNullable<CredentialIssuer["status"]>;
type Strategy = Status["strategies"][number];

/** The strategies, and the address at which clients reach the API server where it is known. */
export interface SigningState {
  readonly reports: readonly StrategyReport[];
  readonly clusterInfo: ClusterInfo | undefined;
}

/** The status of a CredentialIssuer; a time changes only together with its strategy. */
export function statusFor(before: Status | undefined, state: SigningState, now: Clock): Status {
  return {
    strategies: state.reports.map((report) => {
      const former = before?.strategies.find(({ type }) => type === report.type);
      return strategyFor(former, { report, clusterInfo: state.clusterInfo }, now);
    }),
  };
}

function strategyFor(
  former: Strategy | undefined,
  { report, clusterInfo }: { report: StrategyReport; clusterInfo: ClusterInfo | undefined },
  now: Clock,
): Strategy {
  const isUsable = report.status === "Success" && clusterInfo !== undefined;
  const stated = {
    ...report,
    ...(isUsable && {
      frontend: {
        type: "TokenCredentialRequestAPI" as const,
        tokenCredentialRequestInfo: clusterInfo,
      },
    }),
  };
  const { lastUpdateTime = "", ...rest } = former ?? {};
  const time = deepEqual(rest, stated) ? lastUpdateTime : formatTime(now());
  return { ...stated, lastUpdateTime: time };
}
