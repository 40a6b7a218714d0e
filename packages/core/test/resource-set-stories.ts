import { clusters, configMaps, resourceSets, secrets } from "./core-resources.ts";
import { createReadyCluster } from "./parts.ts";
import type { Scene, Snapshot } from "./scene.ts";
import { conditionOf, type Step, type Story } from "./story.ts";

const applied = (shown: Snapshot) => conditionOf(shown, "ClusterResourceSet/s", "ResourcesApplied");
const dataOf = (shown: Snapshot, name: string) => shown[name]?.data as object | undefined;

/** What is applied: a ConfigMap in the scene itself, which is the cluster, too. */
function manifest(scene: Scene, name: string, value: string): string {
  const metadata = { name, namespace: scene.namespace };
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { value } });
}

const aCluster: Step = {
  does: "a cluster is made that asks for addons",
  act: (scene) => createReadyCluster(scene, { addons: "yes" }),
  until: (shown) => conditionOf(shown, "Cluster/c", "Available") === "True Available",
};

const createSet = (scene: Scene, strategy: string) =>
  scene.create(resourceSets, "s", {
    spec: {
      strategy,
      clusterSelector: { matchLabels: { addons: "yes" } },
      resources: [
        { kind: "ConfigMap", name: "one" },
        { kind: "Secret", name: "two" },
        { kind: "ConfigMap", name: "missing" },
      ],
    },
  });

async function createData(scene: Scene): Promise<void> {
  await scene.create(configMaps, "one", { data: { a: manifest(scene, "applied-one", "first") } });
  const two = Buffer.from(manifest(scene, "applied-two", "first")).toString("base64");
  const type = "addons.cluster.x-k8s.io/resource-set";
  await scene.create(secrets, "two", { type, data: { a: two } });
}

const applyOnce: Story = [
  aCluster,
  {
    does: "a set is made that is applied once",
    act: async (scene) => {
      await createData(scene);
      await createSet(scene, "ApplyOnce");
    },
    until: (shown) => applied(shown) === "True Applied" && Boolean(shown["ConfigMap/applied-two"]),
  },
  {
    does: "what it applies is changed, and what was missing comes",
    act: async (scene) => {
      const data = { a: manifest(scene, "applied-one", "second") };
      await scene.patch(configMaps, "one", { data });
      const missing = { a: manifest(scene, "applied-missing", "first") };
      await scene.create(configMaps, "missing", { data: missing });
    },
    until: (shown) => Boolean(shown["ConfigMap/applied-missing"]),
  },
  {
    does: "the set is deleted",
    act: (scene) => scene.remove(resourceSets, "s"),
    until: (shown) =>
      !shown["ClusterResourceSet/s"] &&
      !shown["ClusterResourceSetBinding/c"] &&
      !shown["Secret/two"],
  },
];

const reconcile: Story = [
  aCluster,
  {
    does: "a set is made that is reconciled",
    act: async (scene) => {
      await createData(scene);
      await createSet(scene, "Reconcile");
    },
    until: (shown) => applied(shown) === "True Applied" && Boolean(shown["ConfigMap/applied-two"]),
  },
  {
    does: "what it applies is changed",
    act: (scene) =>
      scene.patch(configMaps, "one", { data: { a: manifest(scene, "applied-one", "second") } }),
    until: (shown) => JSON.stringify(dataOf(shown, "ConfigMap/applied-one")).includes("second"),
  },
  {
    does: "its cluster is deleted",
    act: (scene) => scene.remove(clusters, "c"),
    until: (shown) =>
      !shown["ClusterResourceSetBinding/c"] &&
      conditionOf(shown, "Cluster/c", "Deleting") === "True WaitingForControlPlaneDeletion",
  },
];

const wrongSecret: Story = [
  aCluster,
  {
    does: "a set names a Secret of another type",
    act: async (scene) => {
      await scene.create(secrets, "two", { type: "Opaque", data: { a: "" } });
      await scene.create(resourceSets, "s", {
        spec: {
          strategy: "ApplyOnce",
          clusterSelector: { matchLabels: { addons: "yes" } },
          resources: [{ kind: "Secret", name: "two" }],
        },
      });
    },
    until: (shown) => applied(shown) === "False WrongSecretType",
  },
];

export const resourceSetStories = {
  "apply-once": applyOnce,
  reconcile,
  "wrong-secret": wrongSecret,
};
