import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DeploymentSpec } from "@rookery/api";
import type { Deployment, ReplicaSet } from "../shared/objects.ts";
import { maxScaledDown, maxSurge, maxUnavailable, newReplicas } from "./policies.ts";
import { newAnnotations, nextRevision } from "./revisions.ts";
import { shares } from "./scale.ts";

function deployment(
  replicas: number,
  surge: number | string,
  unavailable: number | string,
): Deployment {
  const rollingUpdate = { maxSurge: surge, maxUnavailable: unavailable };
  const spec: DeploymentSpec = { replicas, strategy: { type: "RollingUpdate", rollingUpdate } };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec, status: {} };
}

function replicaSet(
  name: string,
  replicas: number,
  options: { available?: number; max?: number } = {},
) {
  const { available = replicas, max } = options;
  const prefix = "deployment.kubernetes.io";
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name, ...(max && { annotations: { [`${prefix}/max-replicas`]: `${max}` } }) },
    spec: { replicas },
    status: { replicas, availableReplicas: available },
  } satisfies ReplicaSet;
}

describe("how many pods may be too many or missing", () => {
  const rows: [number, number | string, number | string, number, number][] = [
    [10, "25%", "25%", 3, 2],
    [1, "25%", "25%", 1, 0],
    [3, 0, "25%", 0, 1],
    [4, 2, 1, 2, 1],
    [2, 0, 5, 0, 2],
    [0, "25%", "25%", 0, 0],
  ];
  for (const [replicas, surge, unavailable, tooMany, missing] of rows) {
    it(`of ${replicas} with ${surge} and ${unavailable}`, () => {
      const wanted = deployment(replicas, surge, unavailable);
      assert.deepEqual([maxSurge(wanted), maxUnavailable(wanted)], [tooMany, missing]);
    });
  }
});

describe("a step of a rollout", () => {
  it("makes as many new pods as the surge allows", () => {
    const wanted = deployment(10, 3, 2);
    assert.equal(newReplicas(wanted, [replicaSet("old", 10)], 0), 3);
    const sets = [replicaSet("old", 8), replicaSet("new", 3)];
    assert.equal(newReplicas(wanted, sets, 3), 5);
    assert.equal(newReplicas(wanted, [replicaSet("old", 13), replicaSet("new", 3)], 3), 3);
  });

  it("lets as many old ones go as are not needed", () => {
    const wanted = deployment(10, 3, 2);
    const fresh = replicaSet("new", 3, { available: 0 });
    assert.equal(maxScaledDown(wanted, [replicaSet("old", 10), fresh], fresh), 2);
    const ready = replicaSet("new", 3);
    assert.equal(maxScaledDown(wanted, [replicaSet("old", 10), ready], ready), 5);
  });
});

describe("the shares of ReplicaSets when their Deployment is scaled", () => {
  const sizes = (wanted: Deployment, sets: ReplicaSet[], missing: number) => [
    ...shares(wanted, sets, missing).values(),
  ];

  it("are by their sizes, with what is left over for the first", () => {
    const sets = [replicaSet("old", 8, { max: 13 }), replicaSet("new", 5, { max: 13 })];
    assert.deepEqual(sizes(deployment(15, 3, 2), sets, 5), [11, 7]);
  });
  it("shrink in the same way", () => {
    const sets = [replicaSet("old", 8, { max: 13 }), replicaSet("new", 5, { max: 13 })];
    assert.deepEqual(sizes(deployment(5, 3, 2), sets, -5), [5, 3]);
  });
  it("are nothing of nothing", () => {
    const sets = [replicaSet("old", 8, { max: 13 }), replicaSet("new", 5, { max: 13 })];
    assert.deepEqual(sizes(deployment(0, 3, 2), sets, -13), [0, 0]);
  });
});

describe("revisions", () => {
  const revision = "deployment.kubernetes.io/revision";
  const history = "deployment.kubernetes.io/revision-history";
  const withRevision = (name: string, number: string) => ({
    ...replicaSet(name, 0),
    metadata: { name, annotations: { [revision]: number } },
  });

  it("go on from the highest of the others", () => {
    assert.equal(nextRevision([withRevision("a", "2"), withRevision("b", "7")]), "8");
    assert.equal(nextRevision([]), "1");
  });
  it("remember which ones they were, and take over what users have said", () => {
    const metadata = { annotations: { note: "x", [revision]: "3" } };
    const wanted = { ...deployment(1, 0, 1), metadata };
    const current = { [revision]: "2", [history]: "1" };
    assert.deepEqual(newAnnotations(wanted, "4", current), {
      note: "x",
      [revision]: "4",
      [history]: "1,2",
    });
    assert.deepEqual(newAnnotations(wanted, "2", current), { note: "x", ...current });
  });
});
