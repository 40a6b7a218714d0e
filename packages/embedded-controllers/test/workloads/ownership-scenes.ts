import { rolledOut } from "./deployment-scenes.ts";
import { deployment, job, replicaSet, template } from "./objects.ts";
import type { Scenes } from "./scenes.ts";
import type { Anything, World } from "./world.ts";

async function bareSet(world: World, name: string): Promise<void> {
  await world.create("replicasets", replicaSet(name, "good:1"));
  await world.until("replicasets", name, ({ status }) => status.readyReplicas === 2);
}

const pod = (name: string, app: string, image = "good:1") => ({
  apiVersion: "v1",
  kind: "Pod",
  ...template(app, image),
  metadata: { name, labels: { app } },
});

function deletionScene(propagationPolicy: string) {
  return async (world: World) => {
    await world.create("deployments", deployment("web", "good:1"));
    await rolledOut(world, "web");
    await world.delete("deployments", "web", { propagationPolicy });
    await world.untilList("deployments", (all) => all.length === 0);
    const left = propagationPolicy === "Orphan" ? 3 : 0;
    await world.untilList("pods", (pods) => pods.length === left);
    const isOwned = ({ metadata }: Anything) => metadata.ownerReferences !== undefined;
    await world.untilList("replicasets", (sets) => !sets.some(isOwned));
    await world.snapshot();
    if (left === 0) return;
    await world.create("deployments", deployment("web", "good:1"));
    await rolledOut(world, "web");
    await world.snapshot();
  };
}

export const ownershipScenes: Scenes = {
  "a ReplicaSet adopts what it selects, and lets go what it does not": async (world) => {
    await world.create("pods", pod("lonely", "set"));
    await bareSet(world, "set");
    await world.snapshot();
    await world.patch("pods", "lonely", { metadata: { labels: { app: "other" } } });
    await world.untilList("pods", (pods) => pods.length === 3);
    await world.snapshot();
    await world.patch("pods", "lonely", { metadata: { labels: { app: "set" } } });
    await world.untilList("pods", (pods) => pods.length === 2);
  },

  "a ReplicaSet gives up the pods that are missed least": async (world) => {
    const costs = { cheap: "-5", plain: "0", dear: "10" };
    for (const [name, cost] of Object.entries(costs)) {
      const { metadata, ...rest } = pod(name, "set");
      const annotations = { "controller.kubernetes.io/pod-deletion-cost": cost };
      await world.create("pods", { ...rest, metadata: { ...metadata, annotations } });
    }
    await world.create("replicasets", replicaSet("set", "bad:1", { replicas: 4 }));
    await world.until("replicasets", "set", ({ status }) => status.readyReplicas === 3);
    await world.snapshot();
    await world.patch("replicasets", "set", { spec: { replicas: 2 } });
    await world.untilList("pods", (pods) => pods.length === 2);
    await world.snapshot();
  },

  "a Deployment is deleted in the background": deletionScene("Background"),
  "a Deployment is deleted in the foreground": deletionScene("Foreground"),
  "a Deployment is deleted without its ReplicaSets, which another one takes over":
    deletionScene("Orphan"),

  "a Job is deleted without its pods, which keep no finalizer": async (world) => {
    await world.create("jobs", job("work", "good:1", { parallelism: 2 }));
    await world.until("jobs", "work", ({ status }) => status.ready === 2);
    await world.delete("jobs", "work", { propagationPolicy: "Orphan" });
    const isFree = ({ metadata }: Anything) => metadata.finalizers === undefined;
    await world.untilList("pods", (pods) => pods.length === 2 && pods.every(isFree));
    await world.snapshot();
  },

  "a Job is deleted with its pods": async (world) => {
    await world.create("jobs", job("work", "good:1", { parallelism: 2 }));
    await world.until("jobs", "work", ({ status }) => status.ready === 2);
    await world.delete("jobs", "work", { propagationPolicy: "Background" });
    await world.untilList("pods", (pods) => pods.length === 0);
    await world.snapshot();
  },
};
