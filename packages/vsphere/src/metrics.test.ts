import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMetrics } from "@rookery/runtime";
import { InvalidCredentialsError, TrustMissingError } from "./errors.ts";
import { createSessionMetrics } from "./metrics.ts";

describe("the metrics of sessions", () => {
  it("count sessions by server, logins, and failures by reason", async () => {
    const metrics = createMetrics({ processMetrics: false });
    const sessions = createSessionMetrics(metrics);
    sessions.open("a.example", 1);
    sessions.open("a.example", 2);
    sessions.open("b.example", 1);
    sessions.loggedIn();
    sessions.loginFailed(new InvalidCredentialsError("a.example", "team", { afterMs: 1 }));
    sessions.loginFailed(new TrustMissingError("a.example"));
    sessions.loginFailed(new TrustMissingError("b.example"));
    sessions.loginFailed(new Error("strange"));
    assert.deepEqual(await seriesOf(metrics), [
      'vsphere_login_failures_total{reason="InvalidCredentials"} 1',
      'vsphere_login_failures_total{reason="Other"} 1',
      'vsphere_login_failures_total{reason="TrustMissing"} 2',
      "vsphere_logins_total 1",
      'vsphere_sessions{server="a.example"} 2',
      'vsphere_sessions{server="b.example"} 1',
    ]);
  });

  it("forget a server where no session is left", async () => {
    const metrics = createMetrics({ processMetrics: false });
    const sessions = createSessionMetrics(metrics);
    sessions.open("a.example", 1);
    sessions.open("a.example", 0);
    assert.deepEqual(await seriesOf(metrics), ["vsphere_logins_total 0"]);
  });
});

async function seriesOf({ registry }: ReturnType<typeof createMetrics>): Promise<string[]> {
  const text = await registry.metrics();
  return text
    .split("\n")
    .filter((line) => line.startsWith("vsphere_"))
    .sort();
}
