import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CredentialIssuer } from "@rookery/api";
import { FakeClock } from "@rookery/testing";
import type { StrategyReport } from "../signing/strategy.ts";
import { type ClusterInfo, readClusterInfo } from "./phases/read-cluster-info.ts";
import { reconcileCredentialIssuer } from "./reconcile.ts";
import type { CredentialIssuerScope } from "./scope.ts";

const issuer = {
  apiVersion: "config.concierge.pinniped.dev/v1alpha1",
  kind: "CredentialIssuer",
  metadata: { name: "rookery-concierge", uid: "1" },
} as const;
const report: StrategyReport = {
  type: "KubeClusterSigningCertificate",
  status: "Success",
  reason: "FetchedKey",
  message: "works",
};
const failed: StrategyReport = {
  ...report,
  status: "Error",
  reason: "CouldNotFetchKey",
  message: "gone",
};
const info: ClusterInfo = { server: "https://api.example.com", certificateAuthorityData: "Q0E=" };
const { signal } = new AbortController();

/** A CredentialIssuer with its controller. */
class World {
  readonly clock = new FakeClock();
  stored: CredentialIssuer | undefined = issuer;
  reports: readonly StrategyReport[] | undefined = [report];
  clusterInfo: ClusterInfo | undefined = info;
  problem: Error | undefined;
  created: string[] = [];

  readonly scope: CredentialIssuerScope = {
    signal,
    create: async (name) => void this.created.push(name),
    get: async () => this.stored,
    reports: () => this.reports,
    clusterInfo: async () => {
      if (this.problem) throw this.problem;
      return this.clusterInfo;
    },
    commit: async (_, desired) => {
      this.stored = desired;
      return desired;
    },
    now: this.clock.date,
  };

  async run(name = "rookery-concierge") {
    await reconcileCredentialIssuer({ name }, this.scope);
    return this.stored?.status?.strategies;
  }
}

describe("a CredentialIssuer", () => {
  it("says how certificates are signed, and where clients ask for them", async () => {
    assert.deepEqual(await new World().run(), [
      {
        ...report,
        lastUpdateTime: "2026-01-01T00:00:00Z",
        frontend: { type: "TokenCredentialRequestAPI", tokenCredentialRequestInfo: info },
      },
    ]);
  });

  it("keeps its time while nothing changes", async () => {
    const world = new World();
    await world.run();
    await world.clock.advance(60_000);
    assert.equal((await world.run())?.[0]?.lastUpdateTime, "2026-01-01T00:00:00Z");
    world.reports = [failed];
    assert.equal((await world.run())?.[0]?.lastUpdateTime, "2026-01-01T00:01:00Z");
  });

  it("has no frontend where a strategy fails, or nobody knows the address", async () => {
    const world = new World();
    world.clusterInfo = undefined;
    assert.equal((await world.run())?.[0]?.frontend, undefined);
    world.clusterInfo = info;
    world.reports = [failed];
    assert.equal((await world.run())?.[0]?.frontend, undefined);
  });

  it("says why nobody knows the address where that cannot be read", async () => {
    const world = new World();
    await world.run();
    world.problem = new TypeError("x is undefined");
    await assert.rejects(world.run(), /x is undefined/);
    const [strategy] = world.stored?.status?.strategies ?? [];
    assert.deepEqual([strategy?.status, strategy?.reason], ["Error", "CouldNotGetClusterInfo"]);
    assert.match(strategy?.message ?? "", /not foreseen \(TypeError\)/);
    assert.equal(strategy?.frontend, undefined);
  });

  it("waits for the first check", async () => {
    const world = new World();
    world.reports = undefined;
    assert.equal(await world.run(), undefined);
  });

  it("is made where there is none, but no other is", async () => {
    const world = new World();
    world.stored = undefined;
    await world.run();
    await world.run("another");
    assert.deepEqual(world.created, ["rookery-concierge"]);
  });
});

describe("the cluster's info", () => {
  const kubeconfig = (cluster: object) => ({
    kubeconfig: JSON.stringify({ clusters: [{ name: "", cluster }] }),
  });
  const rows: Record<string, [data: Readonly<Record<string, string>>, info: unknown]> = {
    "is read as kubeadm writes it": [
      kubeconfig({ server: info.server, "certificate-authority-data": "Q0E=" }),
      info,
    ],
    "needs a kubeconfig": [{}, undefined],
    "needs YAML": [{ kubeconfig: "{" }, undefined],
    "needs a server": [kubeconfig({ "certificate-authority-data": "Q0E=" }), undefined],
    "needs an authority": [kubeconfig({ server: info.server }), undefined],
    "needs a cluster": [{ kubeconfig: "clusters: []" }, undefined],
  };
  for (const [name, [data, expected]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(readClusterInfo(data), expected));
  }
});
