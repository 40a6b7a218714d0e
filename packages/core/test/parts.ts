import type { Resource } from "@rookery/kube";
import { clusters } from "./core-resources.ts";
import { testCluster, testControlPlane } from "./provider-kinds.ts";
import type { Scene } from "./scene.ts";
import { conditionOf, type Step } from "./story.ts";

/** What keeps an object from going before the test lets it. */
export const held = { finalizers: ["test.rookery.dev/held"] };
export const free = { metadata: { finalizers: null } };

export function referenceTo({ group: apiGroup, kind }: Resource, name: string) {
  return { apiGroup, kind, name };
}

export const endpoint = { host: "127.0.0.1", port: 6443 };

export const references = {
  infrastructureRef: referenceTo(testCluster, "infra"),
  controlPlaneRef: referenceTo(testControlPlane, "cp"),
};

/** A cluster `c` whose parts are done and whose API server answers. */
export const aReadyCluster: Step = {
  does: "a cluster is made of parts that are done",
  act: (scene) => createReadyCluster(scene),
  until: (shown) => conditionOf(shown, "Cluster/c", "Available") === "True Available",
};

export async function createReadyCluster(scene: Scene, labels: object = {}): Promise<void> {
  await scene.addKubeconfig("c");
  await scene.create(testCluster, "infra", {
    metadata: held,
    spec: { controlPlaneEndpoint: endpoint },
  });
  await scene.report(testCluster, "infra", { initialization: { provisioned: true } });
  await scene.create(testControlPlane, "cp", { metadata: held });
  await scene.report(testControlPlane, "cp", {
    initialization: { controlPlaneInitialized: true },
    externalManagedControlPlane: true,
  });
  await scene.create(clusters, "c", { metadata: { labels }, spec: references });
}
