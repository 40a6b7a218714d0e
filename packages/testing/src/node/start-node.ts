import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Image } from "@rookery/packaging";
import { type Binaries, type BinaryOptions, ensureBinaries } from "../binaries/binaries.ts";
import { binarySets } from "../binaries/recipe.ts";
import { busyboxImage } from "../images/busybox.ts";
import { connectKubernetes, type Ownership } from "../kubernetes/connect.ts";
import { type ControlPlane, startControlPlane } from "../kubernetes/control-plane.ts";
import { servedVersion } from "../kubernetes/served-version.ts";
import { chosenFlavour, joinKubernetes } from "../kubernetes/share.ts";
import type { Kubernetes } from "../kubernetes.ts";
import type { Child } from "../process/child.ts";
import { createTemporaryFolder } from "../process/temporary-folder.ts";
import { waitFor } from "../process/wait-for.ts";
import { type Progress, reportProgress } from "../progress.ts";
import { createCgroup } from "./cgroups.ts";
import { claimMachine, lockMachine, nodeCgroup, requireMachine } from "./claim-machine.ts";
import { containerdPaths, startContainerd } from "./containerd.ts";
import { startClusterDns } from "./dns-server.ts";
import { importImage } from "./import-image.ts";
import { importProgram } from "./import-program.ts";
import { createBridge, nodeNetwork, writeCniConfig } from "./network.ts";
import { type NodeProcessesOptions, startNodeProcesses } from "./processes.ts";
import { waitUntilReady } from "./readiness.ts";
import { startEmbeddedNode } from "./start-embedded-node.ts";

/** A Kubernetes with one node, whose pods are containers of this machine, or processes where it is embedded. */
export interface KubernetesNode extends Kubernetes {
  /** Brings an image to the node. There is no registry: pods name it with imagePullPolicy Never. */
  importImage(image: Image): Promise<void>;
}

export interface NodeOptions extends BinaryOptions {
  /**
   * "embedded" starts the embedded Kubernetes, whose node runs pods as processes. By default the node is
   * real, or what ROOKERY_TEST_KUBERNETES says.
   */
  readonly flavour?: "embedded";
  /** Pods find Services, and nothing else, by their names; without it there is no DNS of the cluster. */
  readonly dns?: boolean;
  /** The interval in which the kubelet updates mounted volumes; a minute by default, as in most clusters. */
  readonly syncSeconds?: number;
  /**
   * Joins the node that the run shares, where there is one; disposing of it leaves it running. For
   * tests whose names, those of cluster-wide objects too, are their own.
   */
  readonly shared?: boolean;
}

/**
 * Starts a whole node: containerd, kubelet, kube-proxy and a control plane, with a network of its
 * own. Waits while another run has the machine. With ROOKERY_TEST_KUBERNETES=embedded it is the embedded
 * Kubernetes with its node of processes, which has no DNS. All of it is removed when it is disposed of
 * or this process ends in any way. Throws UnavailableError where the machine can't run it.
 */
export async function startNode(options: NodeOptions = {}): Promise<KubernetesNode> {
  const { progress = reportProgress, env = process.env, dns = false, syncSeconds } = options;
  const shared = options.shared ? await joinKubernetes(env, "node") : undefined;
  if (shared) return withImages(shared);
  if ((options.flavour ?? (await chosenFlavour(env))) === "embedded") {
    return withImages(await startEmbeddedNode({ progress, env }));
  }
  await requireMachine();
  const binaries = await ensureBinaries(binarySets.node, { progress, env });
  return withImages(await startOwnNode(binaries, { progress, dns, syncSeconds }));
}

function withImages(kubernetes: Kubernetes): KubernetesNode {
  const { folder, flavour } = kubernetes.description;
  const bring = flavour === "embedded" ? importProgram : importImage;
  return Object.assign(kubernetes, { importImage: (image: Image) => bring(folder, image) });
}

interface OwnNodeOptions extends Pick<NodeProcessesOptions, "syncSeconds"> {
  readonly progress: Progress;
  readonly dns: boolean;
}

async function startOwnNode(
  binaries: Binaries,
  { progress, dns: hasDns, syncSeconds }: OwnNodeOptions,
): Promise<Kubernetes> {
  await using stack = new AsyncDisposableStack();
  stack.use(await lockMachine(progress));
  const folder = stack.use(await createTemporaryFolder("node")).path;
  stack.use(await claimMachine(folder, progress));
  progress("starting containerd");
  stack.use(await startRuntime(folder));
  const controlPlane = stack.use(await startControlPlaneOf(folder, { binaries, progress }));
  const dns = hasDns ? nodeNetwork.address : undefined;
  const given = { folder, controlPlane, binaries, dns, syncSeconds };
  const processes = stack.use(await startNodeProcesses(given));
  const kubernetes = await connect(folder, binaries.kubectl, {
    controlPlane,
    async dispose() {
      await using _ = owned;
      await processes.stopScheduling();
      await endPods(kubernetes);
    },
  });
  if (dns) stack.use(await startClusterDns(kubernetes, dns));
  progress("waiting for the node");
  await waitUntilReady(kubernetes, processes.children);
  const owned = stack.move();
  return kubernetes;
}

function startControlPlaneOf(
  folder: string,
  { binaries, progress }: { readonly binaries: Binaries; readonly progress: Progress },
): Promise<ControlPlane> {
  const { address, services } = nodeNetwork;
  const apiServerArgs = [
    "--enable-admission-plugins=NodeRestriction",
    `--kubelet-certificate-authority=${join(folder, "pki", "ca.crt")}`,
  ];
  return startControlPlane({ binaries, folder, address, services, apiServerArgs, progress });
}

async function connect(
  folder: string,
  kubectl: string,
  owner: { readonly controlPlane: ControlPlane; readonly dispose: Ownership["dispose"] },
): Promise<Kubernetes> {
  const { server, apiServer } = owner.controlPlane;
  const version = await servedVersion(server, folder);
  const description = { flavour: "node", version, server, folder, kubectl } as const;
  return connectKubernetes(
    { ...description, controllerManager: true },
    { apiServer, dispose: owner.dispose },
  );
}

/** Starts what containers run in: the bridge, the cgroup and a containerd with the sandbox's image. */
async function startRuntime(folder: string): Promise<Child> {
  const logs = join(folder, "logs");
  await mkdir(logs, { recursive: true });
  await createBridge();
  await createCgroup(nodeCgroup);
  await writeCniConfig(containerdPaths(folder).cni);
  const sandbox = busyboxImage();
  const containerd = await startContainerd(folder, { sandboxImage: sandbox.name, logs });
  try {
    await importImage(folder, sandbox);
    return containerd;
  } catch (error) {
    await containerd.kill();
    throw error;
  }
}

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly namespace: string };
    readonly spec: { readonly nodeName?: string };
  }[];
}

/**
 * Ends all pods of the node in good order, within a second each. Those that do not end in time are
 * left to be killed with their cgroup.
 */
async function endPods(kubernetes: Kubernetes): Promise<void> {
  const body = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 1 };
  for (const path of await podsOnNode(kubernetes))
    await kubernetes.request("DELETE", path, { body });
  const gone = async () => (await podsOnNode(kubernetes)).length === 0;
  await waitFor(gone, { what: "the pods to end", timeout: 30_000, interval: 200 }).catch(() => {});
}

async function podsOnNode(kubernetes: Kubernetes): Promise<string[]> {
  const { items } = (await kubernetes.request("GET", "/api/v1/pods")).body as PodList;
  return items
    .filter((pod) => pod.spec.nodeName !== undefined)
    .map(({ metadata }) => `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`);
}
