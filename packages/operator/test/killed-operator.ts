import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, createClientOver } from "@rookery/client";
import { discardBody } from "@rookery/http";
import { clusterApiProviders } from "@rookery/testing";
import { type ClusterApiCluster, keyOf } from "./cluster-api-cluster.ts";
import { componentsAreGone, dumpComponents } from "./cluster-dump.ts";

/** All that there is of providers, by kind and name. */
export type Components = Readonly<Record<string, unknown>>;

export interface KilledOperators {
  /** With nothing installed, and v1.13.6 and v1.14.2 offered. */
  cluster(): ClusterApiCluster;
  /** What is there when nobody is killed, by version; known when the tests begin. */
  readonly whole: Readonly<Record<string, Components>>;
  /** Of each of install, upgrade and removal. */
  readonly kills: number;
}

/** Tests of the real Cluster API by operators that are killed at random calls. */
export function itEndsInTheSameState({ cluster, whole, kills }: KilledOperators): void {
  for (const [version, ask] of [
    ["v1.13.6", () => cluster().declare({ version: "v1.13.6" })],
    ["v1.14.2", () => cluster().change({ version: "v1.14.2" })],
  ] as const) {
    test(`${version} ends in the same state`, async () => {
      await ask();
      await bringAbout(cluster(), kills, cluster().areReady(version));
      const expected = whole[version] ?? {};
      // CRDs stay, also those that only a later version has.
      const actual = Object.entries(await dumpComponents(cluster().client));
      const own = actual.filter(([key]) => key in expected || !isDefinition(key));
      assert.deepEqual(Object.fromEntries(own), expected);
    });
  }

  test("all of it is deleted, and nothing is left", async () => {
    await cluster().change({ deletionPolicy: { customResourceDefinitions: "Delete" } });
    for (const provider of clusterApiProviders) {
      await cluster().administrator.remove(provider.kind, keyOf(provider));
    }
    await bringAbout(cluster(), kills, cluster().areGone());
    await componentsAreGone(cluster().client, isInventory);
    const selector = "labelSelector=management.cluster.x-k8s.io%2Foperator-record";
    const { body } = await cluster().kubernetes.request("GET", `/api/v1/secrets?${selector}`);
    assert.deepEqual(body.items, []);
  });
}

/** Comes with the operator, and so stays with it. */
function isInventory(key: string): boolean {
  return key.endsWith("/providers.clusterctl.cluster.x-k8s.io");
}

/** Waited for once: a wait for each run would go on after the test, for what is no more. */
async function bringAbout(
  cluster: ClusterApiCluster,
  kills: number,
  done: Promise<void>,
): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) await runUntilKilled(cluster, done);
  await using _ = await cluster.startOperator();
  await done;
}

/** Runs an operator that makes no more than a few writes. */
async function runUntilKilled(cluster: ClusterApiCluster, done: Promise<void>): Promise<void> {
  const { client, killed } = mortalClient(cluster.account);
  await using _ = await cluster.startOperator({}, client);
  const dead = await Promise.race([killed.then(() => true), done.then(() => false)]);
  assert.ok(dead, "it was done before it could be killed");
}

/** A client whose process ends after some writes; of the last one the answer may be lost. */
function mortalClient(client: Client) {
  const death = Promise.withResolvers<void>();
  let left = Math.floor(Math.random() * 8);
  const mortal = createClientOver(async (request) => {
    if (left < 0) throw new Error("killed");
    if (request.method === "GET" || left-- > 0) return client.handler(request);
    if (Math.random() < 0.5) await discardBody((await client.handler(request)).body);
    death.resolve();
    throw new Error("killed");
  });
  return { client: mortal, killed: death.promise };
}

export function isDefinition(key: string): boolean {
  return key.startsWith("CustomResourceDefinition.");
}
