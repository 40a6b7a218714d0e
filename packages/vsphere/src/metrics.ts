import { Counter, Gauge, type Metrics } from "@rookery/runtime";
import { failureOf } from "./failures.ts";
import type { SessionMetrics } from "./sessions/session.ts";

/**
 * The sessions on vCenters, in the metrics of the process. Failures have no label for the server:
 * whoever may make a cluster chooses its server, and would choose how many series there are.
 */
export function createSessionMetrics({ registry }: Pick<Metrics, "registry">): SessionMetrics {
  const registers = [registry];
  const sessions = new Gauge({
    name: "vsphere_sessions",
    help: "Sessions that are open on a vCenter",
    ...{ labelNames: ["server"], registers },
  });
  const logins = new Counter({
    name: "vsphere_logins_total",
    help: "Logins on vCenters",
    registers,
  });
  const failures = new Counter({
    name: "vsphere_login_failures_total",
    help: "Logins on vCenters that failed, by the reason that the conditions of clusters show",
    ...{ labelNames: ["reason"], registers },
  });
  return {
    open: (server, count) =>
      count > 0 ? sessions.set({ server }, count) : sessions.remove({ server }),
    loggedIn: () => logins.inc(),
    loginFailed: (error) =>
      failures.inc({ reason: failureOf(error, { server: "", isListed: true })?.reason ?? "Other" }),
  };
}
