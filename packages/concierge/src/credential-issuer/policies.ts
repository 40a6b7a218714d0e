import type { CredentialIssuer } from "@rookery/api";
import { type Clock, deepEqual, formatTime } from "@rookery/kube";
import type { StrategyReport } from "../signing/strategy.ts";
import type { ClusterInfo } from "./phases/read-cluster-info.ts";

type Status = NonNullable<CredentialIssuer["status"]>;
type Strategy = Status["strategies"][number];

/** What there is to say: the strategies, and where clients reach the API server if that is known. */
export interface Findings {
  readonly reports: readonly StrategyReport[];
  readonly clusterInfo: ClusterInfo | undefined;
}

/** The status that a CredentialIssuer should have; a time moves only when something changes. */
export function statusFor(before: Status | undefined, findings: Findings, now: Clock): Status {
  return {
    strategies: findings.reports.map((report) => {
      const former = before?.strategies.find(({ type }) => type === report.type);
      return strategyFor(former, { report, clusterInfo: findings.clusterInfo }, now);
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
