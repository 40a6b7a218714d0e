import { type Metrics, metricsIn } from "@rookery/runtime";
import { failureOf } from "./failures.ts";
import type { SessionMetrics } from "./sessions/session.ts";

/**
 * Adds the metrics of sessions on vCenters. Failures have no label for the server: the author of a cluster chooses its
 * server, and would choose the number of series.
 */
export function createSessionMetrics({ registry }: Pick<Metrics, "registry">): SessionMetrics {
  const { counter, gauge } = metricsIn(registry);
  const sessions = gauge("vsphere_sessions", "Sessions that are open on a vCenter", ["server"]);
  const logins = counter("vsphere_logins_total", "Logins on vCenters");
  const failures = counter(
    "vsphere_login_failures_total",
    "Logins on vCenters that failed, by the reason that the conditions of clusters show",
    ["reason"],
  );
  return {
    open: (server, count) =>
      count > 0 ? sessions.set({ server }, count) : sessions.remove({ server }),
    loggedIn: () => logins.inc(),
    loginFailed: (error) =>
      failures.inc({ reason: failureOf(error, { server: "", isListed: true })?.reason ?? "Other" }),
  };
}
