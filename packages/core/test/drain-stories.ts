import { builtInResources } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { machines } from "./core-resources.ts";
import { createNode, nodeName, nodeOf, providerID } from "./node-parts.ts";
import { aReadyCluster, free, held, referenceTo } from "./parts.ts";
import { testMachine } from "./provider-kinds.ts";
import type { Scene, Snapshot } from "./scene.ts";
import { conditionOf, type Story } from "./story.ts";

const { pods, podDisruptionBudgets: budgets } = builtInResources;
const machine = (shown: Snapshot, type: string) => conditionOf(shown, "Machine/m", type);
const patience = { timeout: 120_000 };

interface PodOptions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly phase?: string;
}

/** A pod on the node of the scene, of which the test plays the kubelet. */
async function createPod(scene: Scene, name: string, options: PodOptions = {}): Promise<void> {
  const { labels = {}, phase = "Running" } = options;
  const metadata = { labels: { app: name, ...labels } };
  const containers = [{ name: "main", image: "none" }];
  const spec = { nodeName: nodeName(scene), containers };
  // Pods are refused until the service account of their namespace is there.
  await waitFor(() => scene.create(pods, name, { metadata, spec }).then(() => true), {
    what: `pod ${name}`,
    ...patience,
  });
  await scene.report(pods, name, { phase });
}

/** A budget that lets nobody go, once its controller has looked at it. */
async function createBudget(scene: Scene, app: string): Promise<void> {
  const spec = { minAvailable: 1, selector: { matchLabels: { app } } };
  await scene.create(budgets, app, { spec });
  const key = { namespace: scene.namespace, name: app };
  const isKnown = async () => {
    const { status } = (await scene.world.resource(budgets).get(key)) as {
      status?: { observedGeneration?: number; expectedPods?: number };
    };
    return status?.observedGeneration === 1 && status.expectedPods === 1;
  };
  await waitFor(isKnown, { what: `the budget of ${app} to be known`, ...patience });
}

/** What a kubelet does when the processes of a pod have ended. */
async function forget(scene: Scene, name: string): Promise<void> {
  const key = { namespace: scene.namespace, name };
  await scene.world.resource(pods).delete(key, { gracePeriodSeconds: 0 });
}

const drained: Story = [
  aReadyCluster,
  {
    does: "a machine has a node",
    act: async (scene) => {
      await scene.create(testMachine, "m", {
        metadata: held,
        spec: { providerID: providerID(scene) },
      });
      await scene.report(testMachine, "m", { initialization: { provisioned: true } });
      await scene.create(machines, "m", {
        metadata: { labels: { "cluster.x-k8s.io/cluster-name": "c" } },
        spec: {
          clusterName: "c",
          bootstrap: { dataSecretName: "data" },
          infrastructureRef: referenceTo(testMachine, "m"),
          deletion: { nodeDeletionTimeoutSeconds: 10 },
        },
      });
      await createNode(scene);
    },
    until: (shown) => machine(shown, "Available") === "True Available",
  },
  {
    does: "it is deleted, and pods on its node have to go: one stays by its budget, one as it wishes",
    act: async (scene) => {
      await createPod(scene, "leaves");
      await createPod(scene, "over", { phase: "Succeeded" });
      await createPod(scene, "skipped", { labels: { "cluster.x-k8s.io/drain": "skip" } });
      await createPod(scene, "stays");
      await createBudget(scene, "stays");
      await scene.remove(machines, "m");
    },
    until: (shown) =>
      machine(shown, "Deleting") === "True DrainingNode" &&
      messageOf(shown).includes("disruption budget"),
  },
  {
    does: "they are gone, but for the one that may stay",
    act: async (scene) => {
      for (const name of ["leaves", "stays"]) await forget(scene, name);
    },
    until: (shown) => machine(shown, "Deleting") === "True WaitingForInfrastructureDeletion",
  },
  {
    does: "its infrastructure is gone, and so is its node",
    act: async (scene) => {
      await scene.patch(testMachine, "m", free);
      await forget(scene, "skipped");
    },
    until: (shown) => !shown["Machine/m"] && !nodeOf(shown),
  },
];

function messageOf(shown: Snapshot): string {
  const { conditions = [] } = (shown["Machine/m"]?.status ?? {}) as {
    conditions?: readonly { type: string; message?: string }[];
  };
  return conditions.find(({ type }) => type === "Deleting")?.message ?? "";
}

export const drainStories = { drain: drained };
