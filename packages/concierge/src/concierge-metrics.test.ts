import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMetrics } from "@rookery/runtime";
import { AuthenticatorRegistry } from "./authenticators/registry.ts";
import { createConciergeMetrics } from "./concierge-metrics.ts";
import type { StrategyReport } from "./signing/strategy.ts";

/** The lines of its metrics that begin with a name. */
function world() {
  const all = createMetrics({ processMetrics: false });
  const metrics = createConciergeMetrics(all);
  const lines = async (name: string) =>
    (await all.registry.metrics()).split("\n").filter((line) => line.startsWith(`${name}{`));
  return { metrics, lines };
}

const object = (name: string) => ({
  apiVersion: "v1",
  kind: "JWTAuthenticator",
  metadata: { name, uid: name, generation: 1 },
});

describe("the metrics of a concierge", () => {
  it("count exchanges by authenticator and result", async () => {
    const { metrics, lines } = world();
    for (const result of ["Issued", "Issued", "Refused"] as const) {
      metrics.exchanged({ kind: "JWTAuthenticator", result });
    }
    const name = "rookery_concierge_token_credential_requests_total";
    assert.deepEqual(await lines(name), [
      `${name}{authenticator="JWTAuthenticator",result="Issued"} 2`,
      `${name}{authenticator="JWTAuthenticator",result="Refused"} 1`,
    ]);
  });

  it("tell how many authenticators are ready as it is now", async () => {
    const { metrics, lines } = world();
    const registry = new AuthenticatorRegistry();
    metrics.authenticators("JWTAuthenticator", registry);
    const authenticator = { authenticate: () => assert.fail(), [Symbol.dispose]() {} };
    registry.put(object("a"), { statements: [], authenticator });
    registry.put(object("b"), { statements: [] });
    const name = "rookery_concierge_authenticators";
    const labels = (ready: boolean) => `${name}{kind="JWTAuthenticator",ready="${ready}"}`;
    assert.deepEqual(await lines(name), [`${labels(true)} 1`, `${labels(false)} 1`]);
    registry.delete("a");
    assert.deepEqual(await lines(name), [`${labels(true)} 0`, `${labels(false)} 1`]);
  });

  it("tell which strategy signs, and forget what a strategy said before", async () => {
    const { metrics, lines } = world();
    const report = (
      status: StrategyReport["status"],
      reason: StrategyReport["reason"],
    ): StrategyReport => ({ type: "KubeClusterSigningCertificate", status, reason, message: "" });
    let reports: readonly StrategyReport[] | undefined;
    metrics.strategies(() => reports);
    const name = "rookery_concierge_signing_strategy";
    const labels = (reason: string) =>
      `${name}{type="KubeClusterSigningCertificate",reason="${reason}"}`;
    assert.deepEqual(await lines(name), []);
    reports = [report("Success", "FetchedKey")];
    assert.deepEqual(await lines(name), [`${labels("FetchedKey")} 1`]);
    reports = [report("Error", "CouldNotFetchKey")];
    assert.deepEqual(await lines(name), [`${labels("CouldNotFetchKey")} 0`]);
  });
});
