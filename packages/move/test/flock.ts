import type { Client } from "@rookery/client";
import { type KubeObject, type OwnerReference, ownerReferenceTo } from "@rookery/kube";

const infrastructure = "infrastructure.cluster.x-k8s.io/v1beta2";
const core = "cluster.x-k8s.io/v1beta2";

/** Writes the 11 objects of a cluster as controllers leave them when all is provisioned. */
export async function makeFlock(client: Client, namespace: string, name: string): Promise<void> {
  const make = makerIn(client, namespace);
  const infraRef = (kind: string) => ({ apiGroup: "infrastructure.cluster.x-k8s.io", kind, name });
  const cluster = await make(core, "Cluster", name, {
    finalizers: ["cluster.cluster.x-k8s.io"],
    spec: {
      controlPlaneEndpoint: { host: `${name}.example.com`, port: 6443 },
      infrastructureRef: infraRef("InfraCluster"),
    },
    status: provisioned(),
  });
  const owned = { owners: [ownerReferenceTo(cluster)] };
  const finalizers = ["infra.example.com"];
  const deployment = await make(core, "MachineDeployment", name, {
    ...owned,
    spec: machineDeploymentSpec(name),
  });
  const set = await make(core, "MachineSet", name, {
    owners: [controller(deployment)],
    spec: machineDeploymentSpec(name),
  });
  const machine = await make(core, "Machine", name, {
    owners: [controller(set)],
    finalizers: ["machine.cluster.x-k8s.io"],
    spec: machineSpec(name),
    status: { nodeRef: { name: `node-${name}` } },
  });
  const bootstrap = "bootstrap.cluster.x-k8s.io/v1beta2";
  const config = await make(bootstrap, "KubeadmConfig", name, { owners: [controller(machine)] });
  await Promise.all([
    make(infrastructure, "InfraCluster", name, { ...owned, finalizers, spec: { region: "north" } }),
    make(infrastructure, "InfraMachineTemplate", name, { ...owned, spec: { size: 4 } }),
    make(infrastructure, "InfraMachine", name, {
      owners: [controller(machine)],
      finalizers,
      spec: { id: name },
      status: { ready: true },
    }),
    make("v1", "Secret", `${name}-bootstrap`, { owners: [controller(config)], data: "bootstrap" }),
    make("v1", "Secret", `${name}-kubeconfig`, { data: "kubeconfig" }),
    make("v1", "Secret", `${name}-ca`, { owners: [ownerReferenceTo(cluster)], data: "ca" }),
  ]);
}

/** Writes 5 objects, in which a move finds all that it treats differently in a flock. */
export async function makeSmallFlock(
  client: Client,
  namespace: string,
  name: string,
): Promise<void> {
  const make = makerIn(client, namespace);
  const finalizers = ["infra.example.com"];
  const cluster = await make(core, "Cluster", name, {
    finalizers: ["cluster.cluster.x-k8s.io"],
    spec: { controlPlaneEndpoint: { host: `${name}.example.com`, port: 6443 } },
    status: provisioned(),
  });
  const machine = await make(core, "Machine", name, {
    owners: [ownerReferenceTo(cluster)],
    finalizers: ["machine.cluster.x-k8s.io"],
    spec: machineSpec(name),
    status: { nodeRef: { name: `node-${name}` } },
  });
  await Promise.all([
    make(infrastructure, "InfraCluster", name, { owners: [ownerReferenceTo(cluster)], finalizers }),
    make(infrastructure, "InfraMachine", name, { owners: [controller(machine)], spec: { id: 1 } }),
    make("v1", "Secret", `${name}-kubeconfig`, { data: "kubeconfig" }),
  ]);
}

/** The kinds of a small flock, by the names of their CRDs. */
export const smallFlockKinds = /^(clusters|machines|infraclusters|inframachines)\./;

export interface Written {
  readonly owners?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly status?: object;
  readonly data?: string;
}

/** What makes objects in a namespace, or outside of any. */
export function makerIn(client: Client, namespace: string | undefined) {
  return async (
    apiVersion: string,
    kind: string,
    name: string,
    { owners = [], data, status, spec, ...written }: Written = {},
  ): Promise<KubeObject> => {
    const { finalizers, annotations } = written;
    const resources = await client.kind<KubeObject>({ apiVersion, kind });
    const object = {
      apiVersion,
      kind,
      ...(spec && { spec }),
      ...(data !== undefined && { data: { value: Buffer.from(data).toString("base64") } }),
      metadata: {
        name,
        ...(namespace && { namespace }),
        labels: { "example.com/flock": name },
        ...(owners.length > 0 && { ownerReferences: owners }),
        ...(finalizers && { finalizers }),
        ...(annotations && { annotations }),
      },
    };
    const created = await resources.create(object, { fieldManager: "flock" });
    if (!status) return created;
    const key = { name, ...(namespace && { namespace }) };
    const patch = { type: "merge", patch: { status } } as const;
    return resources.status.patch(key, patch, { fieldManager: "flock" });
  };
}

export function provisioned(): object {
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  const conditions = ["InfrastructureReady", "ControlPlaneInitialized"].map((type) => {
    return { type, status: "True", reason: "Provisioned", message: "", lastTransitionTime };
  });
  const initialization = { infrastructureProvisioned: true, controlPlaneInitialized: true };
  return { conditions, initialization };
}

function controller(owner: KubeObject): OwnerReference {
  return { ...ownerReferenceTo(owner), controller: true, blockOwnerDeletion: true };
}

function machineSpec(clusterName: string): object {
  const name = clusterName;
  return {
    clusterName,
    bootstrap: { dataSecretName: `${name}-bootstrap` },
    infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "InfraMachine", name },
  };
}

function machineDeploymentSpec(clusterName: string): object {
  return {
    clusterName,
    replicas: 1,
    selector: { matchLabels: { set: clusterName } },
    template: {
      metadata: { labels: { set: clusterName } },
      spec: {
        ...machineSpec(clusterName),
        infrastructureRef: {
          apiGroup: "infrastructure.cluster.x-k8s.io",
          kind: "InfraMachineTemplate",
          name: clusterName,
        },
      },
    },
  };
}
