import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Client, createClientOver } from "@rookery/client";
import { discardBody } from "@rookery/http";
import { clusterApiProviders, clusterApiRelease, whyUnavailable } from "@rookery/testing";
import { ClusterApiCluster, keyOf } from "./cluster-api-cluster.ts";
import { componentsAreGone, dumpComponents } from "./cluster-dump.ts";

const [core] = clusterApiProviders;
const skip = await whyUnavailable(() => clusterApiRelease(core, "v1.13.6"));
const kills = 8;

describe("an operator that is killed again and again with real components", { skip }, () => {
  let cluster: ClusterApiCluster;
  const whole: Record<string, Readonly<Record<string, unknown>>> = {};

  before(async () => {
    cluster = await ClusterApiCluster.start();
    await cluster.offer("v1.13.6");
    await cluster.offer("v1.14.2");
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  /** What is asked for, and what then has to be there. */
  const steps = {
    install: async () => {
      await cluster.declare({ version: "v1.13.6" });
      return () => cluster.areReady("v1.13.6");
    },
    upgrade: async () => {
      await cluster.change({ version: "v1.14.2" });
      return () => cluster.areReady("v1.14.2");
    },
    remove: async () => {
      for (const provider of clusterApiProviders) {
        await cluster.administrator.remove(provider.kind, keyOf(provider));
      }
      return async () => {
        await cluster.areGone();
        await componentsAreGone(cluster.client, isDefinition);
      };
    },
  };

  test("ends once without being killed", async () => {
    await using _ = await cluster.startOperator();
    for (const [name, begin] of Object.entries(steps)) {
      await (await begin())();
      whole[name] = await dumpComponents(cluster.client);
    }
    const left = Object.keys(whole.remove ?? {}).filter((key) => !isDefinition(key));
    assert.deepEqual(left, []);
  });

  for (const [name, begin] of Object.entries(steps)) {
    test(`${name}: killed ${kills} times at random calls, it ends in the same state`, async () => {
      // Waited for once: a wait for each run would go on after this test, for what is no more.
      const done = (await begin())();
      for (let kill = 0; kill < kills; kill += 1) await runUntilKilled(done);
      await using _ = await cluster.startOperator();
      await done;
      const expected = whole[name] ?? {};
      // CRDs stay, also those that only a later version has.
      const actual = Object.entries(await dumpComponents(cluster.client));
      const own = actual.filter(([key]) => key in expected || !isDefinition(key));
      assert.deepEqual(Object.fromEntries(own), expected);
    });
  }

  /** Runs an operator that makes no more than a few writes. */
  async function runUntilKilled(done: Promise<void>): Promise<void> {
    const { client, killed } = mortalClient(cluster.client);
    await using _ = await cluster.startOperator({}, client);
    const dead = await Promise.race([killed.then(() => true), done.then(() => false)]);
    assert.ok(dead, "it was done before it could be killed");
  }
});

function isDefinition(key: string): boolean {
  return key.startsWith("CustomResourceDefinition.");
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
