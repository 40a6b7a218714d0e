import type { KubeObject } from "@rookery/kube";
import { nodes } from "./core-resources.ts";
import type { Scene, Snapshot } from "./scene.ts";

const now = "2026-01-01T00:00:00Z";

export const nodeStatus = {
  nodeInfo: {
    machineID: "m",
    systemUUID: "s",
    bootID: "b",
    kernelVersion: "6",
    osImage: "test",
    containerRuntimeVersion: "c",
    kubeletVersion: "v1.34.4",
    kubeProxyVersion: "",
    operatingSystem: "linux",
    architecture: "amd64",
  },
  conditions: Object.entries({
    Ready: "True",
    MemoryPressure: "False",
    DiskPressure: "False",
    PIDPressure: "False",
  }).map(([type, status]) => ({
    type,
    status,
    reason: "Test",
    message: "",
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  })),
};

export const providerID = (scene: Scene) => `test:///${scene.namespace}`;
export const nodeName = (scene: Scene) => `${scene.namespace}-node`;
export const nodeOf = (shown: Snapshot): KubeObject | undefined =>
  Object.values(shown).find(({ kind }) => kind === "Node");

/** A node of a machine, as a kubelet and a bootstrap provider would have made it. */
export async function createNode(scene: Scene): Promise<void> {
  await scene.create(nodes, nodeName(scene), {
    metadata: { labels: { "test/scene": scene.namespace } },
    spec: {
      providerID: providerID(scene),
      taints: [{ key: "node.cluster.x-k8s.io/uninitialized", effect: "NoSchedule" }],
    },
  });
  await scene.report(nodes, nodeName(scene), nodeStatus);
}
