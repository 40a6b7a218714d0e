import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { arch, availableParallelism, hostname, release, totalmem } from "node:os";
import type { NodeCondition, NodeSpec, NodeStatus } from "@rookery/api";
import type { Client } from "@rookery/client";
import {
  builtInResources,
  type Clock,
  formatTime,
  isAlreadyExists,
  type KubeObject,
} from "@rookery/kube";

const nodes = builtInResources.nodes;
const notReadyTaint = "node.kubernetes.io/not-ready";
const mostPods = "250";
/** Resources that a kubelet reserves for the machine. */
const keptMemory = 100 * 1024 * 1024;

export type NodeObject = KubeObject<NodeSpec, NodeStatus>;

export interface NodeObjectOptions {
  readonly name: string;
  readonly version: string;
  readonly client: Client;
  readonly folder: string;
  readonly podCidr: string;
  readonly hostIP: string;
  readonly now: Clock;
}

const conditions: readonly (readonly [string, string, string, string])[] = [
  [
    "MemoryPressure",
    "False",
    "KubeletHasSufficientMemory",
    "kubelet has sufficient memory available",
  ],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
];

/** Makes the Node object, or takes over the one that is there, and says that it is ready. */
export async function registerNode(options: NodeObjectOptions): Promise<NodeObject> {
  const { client, name, podCidr } = options;
  const labels = nodeLabels(name);
  const annotations = { "volumes.kubernetes.io/controller-managed-attach-detach": "true" };
  const resource = client.resource<NodeObject>(nodes);
  const spec = { podCIDR: podCidr, podCIDRs: [podCidr] };
  const node = { apiVersion: "v1", kind: "Node", metadata: { name, labels, annotations }, spec };
  try {
    await resource.create(node);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const patch = { metadata: { labels, annotations } };
    await resource.patch({ name }, { type: "merge", patch });
  }
  const written = await writeNodeStatus(options);
  return removeNotReadyTaint(client, written);
}

/** As a kubelet says every five minutes that nothing has changed. */
export async function writeNodeStatus(options: NodeObjectOptions): Promise<NodeObject> {
  const { client, name, version, hostIP, folder, now } = options;
  const resource = client.resource<NodeObject>(nodes);
  const before = await resource.get({ name });
  const capacity = await nodeCapacity(folder);
  const status: NodeStatus = {
    capacity,
    allocatable: allocatableOf(capacity),
    conditions: nodeConditions(before.status?.conditions ?? [], formatTime(now())),
    addresses: [
      { type: "InternalIP", address: hostIP },
      { type: "Hostname", address: name },
    ],
    nodeInfo: nodeInfo(version),
  };
  return resource.status.patch({ name }, { type: "strategic", patch: { status } });
}

/** Where no controller does it: the node would stay closed to pods. */
async function removeNotReadyTaint(client: Client, node: NodeObject): Promise<NodeObject> {
  const { taints = [] } = node.spec ?? {};
  const left = taints.filter(({ key }) => key !== notReadyTaint);
  if (left.length === taints.length) return node;
  const { name = "", resourceVersion } = node.metadata;
  const patch = { metadata: { resourceVersion }, spec: { taints: left.length > 0 ? left : null } };
  const resource = client.resource<NodeObject>(nodes);
  // A conflict means that another controller manages the taints.
  return resource.patch({ name }, { type: "merge", patch }).catch(() => node);
}

function nodeConditions(before: readonly NodeCondition[], now: string): NodeCondition[] {
  return conditions.map(([type, status, reason, message]) => {
    const known = before.find((one) => one.type === type && one.status === status);
    const lastTransitionTime = known?.lastTransitionTime ?? now;
    return { type, status, lastHeartbeatTime: now, lastTransitionTime, reason, message };
  });
}

function nodeLabels(name: string): Record<string, string> {
  const [os, machine] = [operatingSystem(), architecture()];
  return {
    "beta.kubernetes.io/arch": machine,
    "beta.kubernetes.io/os": os,
    "kubernetes.io/arch": machine,
    "kubernetes.io/hostname": name,
    "kubernetes.io/os": os,
  };
}

async function nodeCapacity(folder: string): Promise<Record<string, string>> {
  const { blocks, bsize } = await statfs(folder);
  return {
    cpu: `${availableParallelism()}`,
    "ephemeral-storage": `${Math.floor((blocks * bsize) / 1024)}Ki`,
    memory: `${Math.floor(totalmem() / 1024)}Ki`,
    pods: mostPods,
  };
}

function allocatableOf(capacity: Readonly<Record<string, string>>): Record<string, string> {
  return { ...capacity, memory: `${Math.floor((totalmem() - keptMemory) / 1024)}Ki` };
}

function nodeInfo(version: string) {
  return {
    architecture: architecture(),
    bootID: machineFile("/proc/sys/kernel/random/boot_id"),
    containerRuntimeVersion: `rookery://${process.version.slice(1)}`,
    kernelVersion: release(),
    kubeProxyVersion: "",
    kubeletVersion: version,
    machineID: machineFile("/etc/machine-id") || hostname(),
    operatingSystem: operatingSystem(),
    osImage: osImage(),
    systemUUID: machineFile("/etc/machine-id") || hostname(),
  };
}

function osImage(): string {
  const [, name] = /^PRETTY_NAME="?([^"\n]*)/m.exec(machineFile("/etc/os-release")) ?? [];
  return name ?? process.platform;
}

function machineFile(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

function operatingSystem(): string {
  return process.platform === "win32" ? "windows" : process.platform;
}

function architecture(): string {
  return arch() === "x64" ? "amd64" : arch();
}
