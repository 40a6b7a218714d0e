import { deployment, imagePatch } from "./objects.ts";
import type { Scenes } from "./scenes.ts";
import type { Anything, World } from "./world.ts";

/** Until the newest revision has all pods. */
export async function rolledOut(world: World, name: string): Promise<void> {
  await world.until("deployments", name, ({ metadata, spec, status }) => {
    const { replicas, updatedReplicas, availableReplicas, observedGeneration } = status;
    const counts = [replicas ?? 0, updatedReplicas ?? 0, availableReplicas ?? 0];
    const isEach = counts.every((count) => count === spec.replicas);
    return isEach && observedGeneration === metadata.generation;
  });
}

function progressing(reason: string): (object: Anything) => boolean {
  return ({ status }) => status.conditions?.some((each: Anything) => each.reason === reason);
}

async function rollOut(world: World, name: string, image: string): Promise<void> {
  await world.patch("deployments", name, imagePatch(image));
  await rolledOut(world, name);
}

const sizesOf = (sets: Anything[]) => sets.map(({ spec }) => spec.replicas).toSorted();

export const deploymentScenes: Scenes = {
  "a Deployment rolls out, and then another revision": async (world) => {
    await world.create("deployments", deployment("web", "good:1"));
    await rolledOut(world, "web");
    await world.snapshot();
    await rollOut(world, "web", "good:2");
    await world.snapshot();
    world.note(await world.kubectl("rollout", "status", "deploy/web"));
    world.note(await world.kubectl("rollout", "history", "deploy/web"));
  },

  "a bad image runs into its deadline, and is undone": async (world) => {
    const spec = { progressDeadlineSeconds: 3 };
    await world.create("deployments", deployment("web", "good:1", spec));
    await rolledOut(world, "web");
    await world.patch("deployments", "web", imagePatch("bad:2"));
    await world.until("deployments", "web", progressing("ProgressDeadlineExceeded"));
    await world.snapshot();
    world.note(await world.kubectl("rollout", "undo", "deploy/web"));
    await rolledOut(world, "web");
    await world.snapshot();
    world.note(await world.kubectl("rollout", "history", "deploy/web"));
  },

  "a Deployment is scaled in the middle of a rollout, each ReplicaSet by its share": async (
    world,
  ) => {
    const rollingUpdate = { maxSurge: 3, maxUnavailable: 2 };
    const spec = { replicas: 10, strategy: { type: "RollingUpdate", rollingUpdate } };
    await world.create("deployments", deployment("web", "good:1", spec));
    await rolledOut(world, "web");
    await world.patch("deployments", "web", imagePatch("bad:2"));
    await world.untilList("replicasets", (sets) => sizesOf(sets).join() === "5,8");
    await world.snapshot();
    await world.kubectl("scale", "deploy/web", "--replicas=15");
    await world.untilList("replicasets", (sets) => sizesOf(sets).join() === "11,7");
    await world.snapshot();
    await world.kubectl("scale", "deploy/web", "--replicas=0");
    await world.untilList("pods", (pods) => pods.length === 0);
    await world.snapshot();
  },

  "a paused Deployment is scaled but not rolled out, until it goes on": async (world) => {
    await world.create("deployments", deployment("web", "good:1"));
    await rolledOut(world, "web");
    await world.kubectl("rollout", "pause", "deploy/web");
    await world.patch("deployments", "web", { ...imagePatch("good:2") });
    await world.kubectl("scale", "deploy/web", "--replicas=4");
    await world.until("deployments", "web", ({ status }) => status.readyReplicas === 4);
    await world.snapshot();
    await world.kubectl("rollout", "resume", "deploy/web");
    await rolledOut(world, "web");
    await world.snapshot();
  },

  "with Recreate all old pods go before new ones come": async (world) => {
    const spec = { strategy: { type: "Recreate" } };
    await world.create("deployments", deployment("web", "good:1", spec));
    await rolledOut(world, "web");
    await rollOut(world, "web", "good:2");
    await world.snapshot();
  },

  "a Deployment keeps no more history than it shall": async (world) => {
    const spec = { replicas: 1, revisionHistoryLimit: 1 };
    await world.create("deployments", deployment("web", "good:1", spec));
    await rolledOut(world, "web");
    for (const image of ["good:2", "good:3", "good:1"]) await rollOut(world, "web", image);
    await world.untilList("replicasets", (sets) => sets.length === 2);
    await world.snapshot();
  },

  "kubectl rollout restart replaces all pods": async (world) => {
    await world.create("deployments", deployment("web", "good:1", { minReadySeconds: 1 }));
    await rolledOut(world, "web");
    await world.kubectl("rollout", "restart", "deploy/web");
    await rolledOut(world, "web");
    await world.snapshot();
  },

  "pods that may not be made are a failure of the ReplicaSet and of the Deployment": async (
    world,
  ) => {
    const metadata = { labels: { "pod-security.kubernetes.io/enforce": "restricted" } };
    await world.request("PATCH", `/api/v1/namespaces/${world.namespace}`, { metadata });
    await world.create("deployments", deployment("web", "good:1"));
    await world.until("deployments", "web", progressing("FailedCreate"));
    await world.snapshot();
    const relaxed = { labels: { "pod-security.kubernetes.io/enforce": null } };
    await world.request("PATCH", `/api/v1/namespaces/${world.namespace}`, { metadata: relaxed });
    await rolledOut(world, "web");
    await world.snapshot();
  },
};
