import { clusters, machines, nodes } from "./core-resources.ts";
import { createNode, nodeName, nodeOf, nodeStatus, providerID } from "./node-parts.ts";
import { aReadyCluster, free, held, referenceTo } from "./parts.ts";
import { testCluster, testConfig, testControlPlane, testMachine } from "./provider-kinds.ts";
import type { Scene, Snapshot } from "./scene.ts";
import { conditionOf, type Story } from "./story.ts";

const machine = (shown: Snapshot, type: string) => conditionOf(shown, "Machine/m", type);
const preDrain = "pre-drain.delete.hook.machine.cluster.x-k8s.io/wait";
const preTerminate = "pre-terminate.delete.hook.machine.cluster.x-k8s.io/wait";

const machineWithConfig: Story = [
  aReadyCluster,
  {
    does: "a machine names parts that are not there",
    act: (scene) =>
      scene.create(machines, "m", {
        metadata: { labels: { "node.cluster.x-k8s.io/pool": "a" } },
        spec: {
          clusterName: "c",
          version: "v1.34.4",
          bootstrap: { configRef: referenceTo(testConfig, "config") },
          infrastructureRef: referenceTo(testMachine, "infra"),
          deletion: { nodeDeletionTimeoutSeconds: 10 },
        },
      }),
    until: (shown) => machine(shown, "InfrastructureReady") === "False ObjectDoesNotExist",
  },
  {
    does: "its parts come",
    act: async (scene) => {
      await scene.create(testConfig, "config", { metadata: held });
      await scene.create(testMachine, "infra", { metadata: held });
      const annotations = { "test/nudge": "1" };
      await scene.patch(machines, "m", { metadata: { annotations } });
    },
    until: (shown) => machine(shown, "InfrastructureReady") === "False NotReady",
  },
  {
    does: "its bootstrap data is there",
    act: (scene) =>
      scene.report(testConfig, "config", {
        initialization: { dataSecretCreated: true },
        dataSecretName: "data",
      }),
    until: (shown) => machine(shown, "BootstrapConfigReady") === "True Ready",
  },
  {
    does: "its infrastructure is there",
    act: async (scene) => {
      await scene.patch(testMachine, "infra", { spec: { providerID: providerID(scene) } });
      await scene.report(testMachine, "infra", {
        initialization: { provisioned: true },
        addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
        failureDomain: "a",
      });
    },
    until: (shown) =>
      machine(shown, "InfrastructureReady") === "True Ready" &&
      machine(shown, "NodeHealthy") === "Unknown InspectionFailed",
  },
  {
    does: "its node comes",
    act: createNode,
    until: (shown) => machine(shown, "Available") === "True Available",
  },
  {
    does: "its node is in trouble",
    act: (scene) =>
      scene.report(nodes, nodeName(scene), {
        conditions: nodeStatus.conditions.map((condition) =>
          condition.type === "DiskPressure"
            ? { ...condition, status: "True", message: "the disk is full" }
            : condition,
        ),
      }),
    until: (shown) => machine(shown, "NodeHealthy") === "False NodeNotHealthy",
  },
  {
    does: "it is deleted, and somebody has to do something before it is drained",
    act: async (scene) => {
      const annotations = { [preDrain]: "me", [preTerminate]: "me" };
      await scene.patch(machines, "m", { metadata: { annotations } });
      await scene.remove(machines, "m");
    },
    until: (shown) => machine(shown, "Deleting") === "True WaitingForPreDrainHook",
  },
  {
    does: "it may be drained, and not be ended yet",
    act: (scene) => scene.patch(machines, "m", { metadata: { annotations: { [preDrain]: null } } }),
    until: (shown) =>
      machine(shown, "Deleting") === "True WaitingForPreTerminateHook" &&
      Boolean((nodeOf(shown)?.spec as { unschedulable?: boolean } | undefined)?.unschedulable),
  },
  {
    does: "it may be ended",
    act: (scene) =>
      scene.patch(machines, "m", { metadata: { annotations: { [preTerminate]: null } } }),
    until: (shown) => machine(shown, "Deleting") === "True WaitingForInfrastructureDeletion",
  },
  {
    does: "its infrastructure is gone",
    act: (scene) => scene.patch(testMachine, "infra", free),
    until: (shown) => machine(shown, "Deleting") === "True WaitingForBootstrapDeletion",
  },
  {
    does: "its bootstrap configuration is gone",
    act: (scene) => scene.patch(testConfig, "config", free),
    until: (shown) => !shown["Machine/m"] && !nodeOf(shown),
  },
];

const createMachine = (scene: Scene, name: string, annotations: object = {}) =>
  scene.create(machines, name, {
    metadata: { annotations, labels: { "cluster.x-k8s.io/cluster-name": "c" } },
    spec: {
      clusterName: "c",
      bootstrap: { dataSecretName: "data" },
      infrastructureRef: referenceTo(testMachine, name),
    },
  });

const clusterWithMachines: Story = [
  aReadyCluster,
  {
    does: "two machines come, whose data is there already",
    act: async (scene) => {
      for (const name of ["m", "n"]) {
        await scene.create(testMachine, name, { metadata: held });
        await createMachine(scene, name);
      }
    },
    until: (shown) =>
      ["Machine/m", "Machine/n"].every(
        (name) => conditionOf(shown, name, "InfrastructureReady") === "False NotReady",
      ),
  },
  {
    does: "the cluster is deleted, and machines go first",
    act: (scene) => scene.remove(clusters, "c"),
    until: (shown) =>
      conditionOf(shown, "Cluster/c", "Deleting") === "True WaitingForWorkersDeletion" &&
      ["Machine/m", "Machine/n"].every(
        (name) => conditionOf(shown, name, "Deleting") === "True WaitingForInfrastructureDeletion",
      ),
  },
  {
    does: "one machine is gone",
    act: (scene) => scene.patch(testMachine, "m", free),
    until: (shown) => !shown["Machine/m"] && Boolean(shown["Machine/n"]),
  },
  {
    does: "the other is gone, too",
    act: (scene) => scene.patch(testMachine, "n", free),
    until: (shown) =>
      conditionOf(shown, "Cluster/c", "Deleting") === "True WaitingForControlPlaneDeletion",
  },
  {
    does: "the rest is gone",
    act: async (scene) => {
      await scene.patch(testControlPlane, "cp", free);
      await scene.patch(testCluster, "infra", free);
    },
    until: (shown) => !shown["Cluster/c"] && !shown["TestCluster/infra"],
  },
];

const pausedMachine: Story = [
  aReadyCluster,
  {
    does: "a machine is made that is paused",
    act: async (scene) => {
      await scene.create(testMachine, "m");
      await createMachine(scene, "m", { "cluster.x-k8s.io/paused": "" });
    },
    until: (shown) => machine(shown, "Paused") === "True Paused",
  },
  {
    does: "it is not paused any more",
    act: (scene) =>
      scene.patch(machines, "m", {
        metadata: { annotations: { "cluster.x-k8s.io/paused": null } },
      }),
    until: (shown) => machine(shown, "InfrastructureReady") === "False NotReady",
  },
];

export const machineStories = {
  machine: machineWithConfig,
  "cluster-with-machines": clusterWithMachines,
  "paused-machine": pausedMachine,
};
