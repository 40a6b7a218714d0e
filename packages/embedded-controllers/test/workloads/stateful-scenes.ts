import { imagePatch, statefulSet } from "./objects.ts";
import type { Scenes } from "./scenes.ts";
import type { Anything, World } from "./world.ts";

const claims = [
  {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
];

/** Until all pods serve that are wanted. */
async function serves(world: World, name: string): Promise<void> {
  await world.until("statefulsets", name, ({ metadata, spec, status }) => {
    const { readyReplicas = 0, replicas = 0, observedGeneration } = status;
    const isAll = readyReplicas === spec.replicas && replicas === spec.replicas;
    return isAll && observedGeneration === metadata.generation;
  });
}

const imagesOf = (pods: Anything[]) => pods.map(({ spec }) => spec.containers[0].image).join();
const partition = (number: number) => ({
  spec: { updateStrategy: { rollingUpdate: { partition: number } } },
});

export const statefulScenes: Scenes = {
  "a StatefulSet is created, scaled and updated in order, by a partition": async (world) => {
    const spec = { volumeClaimTemplates: claims };
    await world.create("statefulsets", statefulSet("db", "good:1", spec));
    await serves(world, "db");
    await world.snapshot();
    await world.kubectl("scale", "sts/db", "--replicas=4");
    await serves(world, "db");
    await world.kubectl("scale", "sts/db", "--replicas=2");
    await serves(world, "db");
    await world.snapshot();
    await world.patch("statefulsets", "db", partition(1));
    await world.patch("statefulsets", "db", imagePatch("good:2"));
    await world.untilList("pods", (pods) => imagesOf(pods) === "good:1,good:2");
    await serves(world, "db");
    await world.snapshot();
    await world.patch("statefulsets", "db", partition(0));
    await world.untilList("pods", (pods) => imagesOf(pods) === "good:2,good:2");
    await serves(world, "db");
    await world.snapshot();
    world.note(await world.kubectl("rollout", "status", "sts/db"));
    world.note(await world.kubectl("rollout", "history", "sts/db"));
    await world.kubectl("rollout", "undo", "sts/db");
    await world.untilList("pods", (pods) => imagesOf(pods) === "good:1,good:1");
    await serves(world, "db");
    await world.snapshot();
  },

  "revisions of a StatefulSet have the very names that Kubernetes gives them": async (world) => {
    const args = ["--if=a<b&c>d", "\u2028"];
    const containers = [{ name: "main", image: "good:1", args }];
    const template = { metadata: { labels: { app: "db" } }, spec: { containers } };
    await world.create("statefulsets", statefulSet("db", "good:1", { replicas: 0, template }));
    const { status } = await world.until("statefulsets", "db", (set) => {
      return set.status.updateRevision !== undefined;
    });
    world.snapshots.push(status.updateRevision);
  },

  "a StatefulSet in order waits for a pod that does not come": async (world) => {
    await world.create("statefulsets", statefulSet("db", "good:1"));
    await serves(world, "db");
    await world.patch("statefulsets", "db", imagePatch("bad:2"));
    await world.untilList("pods", (pods) => imagesOf(pods) === "good:1,good:1,bad:2");
    await world.snapshot();
  },

  "a parallel StatefulSet updates what is deleted, where told so": async (world) => {
    const updateStrategy = { type: "OnDelete" };
    const spec = { podManagementPolicy: "Parallel", updateStrategy, ordinals: { start: 5 } };
    await world.create("statefulsets", statefulSet("db", "good:1", spec));
    await serves(world, "db");
    await world.patch("statefulsets", "db", imagePatch("good:2"));
    await world.until("statefulsets", "db", ({ metadata, status }) => {
      return status.observedGeneration === metadata.generation;
    });
    await world.snapshot();
    await world.delete("pods", "db-6");
    await world.untilList("pods", (pods) => imagesOf(pods) === "good:1,good:2,good:1");
    await serves(world, "db");
    await world.snapshot();
  },

  "claims go with the pods and with the StatefulSet, where told so": async (world) => {
    const policy = { whenDeleted: "Delete", whenScaled: "Delete" };
    const spec = { volumeClaimTemplates: claims, persistentVolumeClaimRetentionPolicy: policy };
    await world.create("statefulsets", statefulSet("db", "good:1", spec));
    await serves(world, "db");
    await world.snapshot();
    await world.kubectl("scale", "sts/db", "--replicas=1");
    await serves(world, "db");
    await world.untilList("persistentvolumeclaims", (all) => all.length === 1);
    await world.snapshot();
    await world.kubectl("delete", "sts/db");
    await world.untilList("persistentvolumeclaims", (all) => all.length === 0);
    await world.untilList("pods", (pods) => pods.length === 0);
    await world.snapshot();
  },

  "a pod of a StatefulSet that ended is replaced": async (world) => {
    await world.create("statefulsets", statefulSet("db", "good:1", { replicas: 2 }));
    await serves(world, "db");
    const { metadata } = await world.get("pods", "db-0");
    const status = { phase: "Failed", reason: "Evicted" };
    await world.request("PATCH", `${world.path("pods", "db-0")}/status`, { status });
    await world.untilList("pods", (pods) => {
      const [first] = pods;
      return first?.metadata.name === "db-0" && first.metadata.uid !== metadata.uid;
    });
    await serves(world, "db");
    await world.snapshot();
  },
};
