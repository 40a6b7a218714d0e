import { setTimeout as sleep } from "node:timers/promises";
import { daemonSet, imagePatch, node, template } from "./objects.ts";
import type { Scenes } from "./scenes.ts";
import type { Anything, World } from "./world.ts";

/** Nodes are shared by all scenes: each has a label of its own. */
async function createNodes(world: World, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await world.create("nodes", node(nameOf(world, name), { scene: world.namespace }));
    // The one that admission adds.
    await world.patch("nodes", nameOf(world, name), { spec: { taints: null } });
  }
}

const nameOf = (world: World, name: string) => `${world.namespace}-${name}`;

function daemons(world: World, image: string, spec: object = {}, pod: object = {}) {
  const nodeSelector = { scene: world.namespace };
  const more = { template: template("agent", image, { nodeSelector, ...pod }), ...spec };
  return daemonSet("agent", image, more);
}

async function serves(world: World, count: number): Promise<void> {
  await world.until("daemonsets", "agent", ({ metadata, status }) => {
    const counts = [status.desiredNumberScheduled, status.numberReady ?? 0];
    const isAll = [...counts, status.updatedNumberScheduled ?? 0].every((each) => each === count);
    return isAll && status.observedGeneration === metadata.generation;
  });
}

/** Kubernetes sees to a taint at once only where pods are bound, which nobody does here. */
async function lookAgain(world: World): Promise<void> {
  const { metadata } = await world.get("daemonsets", "agent");
  const looks = String(Number(metadata.annotations?.looks ?? 0) + 1);
  await world.patch("daemonsets", "agent", { metadata: { annotations: { looks } } });
}

async function removeNodes(world: World): Promise<void> {
  await world.delete("daemonsets", "agent");
  for (const { metadata } of await world.list("nodes")) {
    if (metadata.labels?.scene === world.namespace) await world.delete("nodes", metadata.name);
  }
}

const imagesOf = (pods: Anything[]) =>
  pods
    .map(({ spec }) => spec.containers[0].image)
    .toSorted()
    .join();

export const daemonScenes: Scenes = {
  "a DaemonSet has a pod on each node that fits, as they come and are tainted": async (world) => {
    await createNodes(world, ["one", "two"]);
    await world.create("daemonsets", daemons(world, "good:1"));
    await serves(world, 2);
    await world.snapshot();
    await createNodes(world, ["three"]);
    await serves(world, 3);
    const taint = (effect: string) => ({ spec: { taints: [{ key: "own", value: "x", effect }] } });
    await world.patch("nodes", nameOf(world, "one"), taint("NoSchedule"));
    await lookAgain(world);
    await world.until("daemonsets", "agent", ({ status }) => status.numberMisscheduled === 1);
    await world.snapshot();
    await world.patch("nodes", nameOf(world, "one"), taint("NoExecute"));
    await lookAgain(world);
    await world.untilList("pods", (pods) => pods.length === 2);
    await serves(world, 2);
    await world.snapshot();
    await removeNodes(world);
  },

  "a DaemonSet is updated node by node, and back": async (world) => {
    await createNodes(world, ["one", "two"]);
    await world.create("daemonsets", daemons(world, "good:1"));
    await serves(world, 2);
    await world.patch("daemonsets", "agent", imagePatch("good:2"));
    await world.untilList("pods", (pods) => imagesOf(pods) === "good:2,good:2");
    await serves(world, 2);
    await world.snapshot();
    world.note(await world.kubectl("rollout", "status", "ds/agent"));
    await world.kubectl("rollout", "undo", "ds/agent");
    await world.untilList("pods", (pods) => imagesOf(pods) === "good:1,good:1");
    await serves(world, 2);
    await world.snapshot();
    world.note(await world.kubectl("rollout", "history", "ds/agent"));
    await removeNodes(world);
  },

  "a DaemonSet with a surge keeps the old pod until the new one serves": async (world) => {
    await createNodes(world, ["one"]);
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
    const updateStrategy = { type: "RollingUpdate", rollingUpdate };
    await world.create("daemonsets", daemons(world, "good:1", { updateStrategy }));
    await serves(world, 1);
    // Of two pods of a node the status tells of the older one; times of creation are whole seconds.
    await sleep(1_500);
    await world.patch("daemonsets", "agent", imagePatch("bad:2"));
    await world.untilList("pods", (pods) => imagesOf(pods) === "bad:2,good:1");
    await world.snapshot();
    await world.patch("daemonsets", "agent", imagePatch("good:3"));
    await world.untilList("pods", (pods) => imagesOf(pods) === "good:3");
    await serves(world, 1);
    await world.snapshot();
    await removeNodes(world);
  },

  "a DaemonSet updates what is deleted, where told so": async (world) => {
    await createNodes(world, ["one"]);
    const updateStrategy = { type: "OnDelete" };
    const pod = { tolerations: [{ key: "own", operator: "Exists" }], hostNetwork: true };
    await world.create("daemonsets", daemons(world, "good:1", { updateStrategy }, pod));
    await serves(world, 1);
    await world.patch("daemonsets", "agent", imagePatch("good:2"));
    await world.until("daemonsets", "agent", ({ metadata, status }) => {
      return status.observedGeneration === metadata.generation;
    });
    await world.snapshot();
    for (const { metadata } of await world.list("pods")) await world.delete("pods", metadata.name);
    await serves(world, 1);
    await world.snapshot();
    await removeNodes(world);
  },
};
