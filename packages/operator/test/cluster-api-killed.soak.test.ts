import { after, before, describe } from "node:test";
import { clusterApiProviders, clusterApiRelease, whyUnavailable } from "@rookery/testing";
import { ClusterApiCluster } from "./cluster-api-cluster.ts";
import { componentsAreGone, dumpComponents } from "./cluster-dump.ts";
import { type Components, isDefinition, itEndsInTheSameState } from "./killed-operator.ts";

const versions = ["v1.13.6", "v1.14.2"] as const;
const [core] = clusterApiProviders;
const skip = await whyUnavailable(() => clusterApiRelease(core, versions[0]));

describe("the real Cluster API by operators that are killed over and over", { skip }, () => {
  let cluster: ClusterApiCluster;
  const whole: Record<string, Components> = {};

  before(async () => {
    cluster = await ClusterApiCluster.start();
    for (const version of versions) await cluster.offer(version);
    await using _ = await cluster.startOperator();
    await cluster.declare({ version: versions[0] });
    for (const version of versions) {
      await cluster.change({ version });
      await cluster.areReady(version);
      whole[version] = await dumpComponents(cluster.client);
    }
    await cluster.removeAll();
    await componentsAreGone(cluster.client, isDefinition);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  // Fewer than an operation has writes, at four for each life.
  itEndsInTheSameState({ cluster: () => cluster, whole, kills: 7 });
});
