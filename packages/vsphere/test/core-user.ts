import type { VSphereCluster, VSphereMachine } from "@rookery/api";
import type { Client } from "@rookery/client";
import {
  type Condition,
  getCondition,
  isNotFound,
  type KubeObject,
  type ObjectMeta,
  type Resource,
} from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { findVirtualMachineByUuid } from "../src/vim/inventory.ts";
import { reconfigureVirtualMachine } from "../src/vim/virtual-machine.ts";
import { clusters, machines, machineTemplates } from "./provider-resources.ts";
import { type People, patience } from "./running-provider.ts";
import { observe, type Simulator } from "./vcsim.ts";

const group = "cluster.x-k8s.io";
const infrastructureGroup = "infrastructure.cluster.x-k8s.io";
const apiVersion = `${infrastructureGroup}/v1beta1` as const;

function coreResource(kind: string): Resource {
  const singular = kind.toLowerCase();
  return { group, version: "v1beta2", kind, singular, plural: `${singular}s`, namespaced: true };
}

export const coreResources = {
  clusters: coreResource("Cluster"),
  machines: coreResource("Machine"),
  machineSets: coreResource("MachineSet"),
};

interface Machine extends KubeObject {
  readonly spec?: { readonly providerID?: string };
  readonly status?: {
    readonly phase?: string;
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly conditions?: readonly Condition[];
  };
}

interface MachineOptions extends Partial<VSphereMachine["spec"]> {
  readonly cluster: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Who writes objects of Cluster API, and leaves the rest to its core. */
export class CoreUser {
  readonly #client: Client;
  readonly #people: People;

  constructor(client: Client, people: People) {
    this.#client = client;
    this.#people = people;
  }

  async makeCluster(
    namespace: string,
    name: string,
    spec: NonNullable<VSphereCluster["spec"]>,
  ): Promise<void> {
    const controlPlaneEndpoint = { host: "10.0.0.1", port: 6443 };
    await this.#client.resource<VSphereCluster>(clusters).create({
      apiVersion,
      kind: "VSphereCluster",
      metadata: { namespace, name },
      spec: { ...spec, controlPlaneEndpoint },
    });
    const infrastructureRef = { apiGroup: infrastructureGroup, kind: "VSphereCluster", name };
    await this.#create(coreResources.clusters, { namespace, name }, { infrastructureRef });
  }

  /** A Machine with bootstrap data that is there already. */
  async makeMachine(
    namespace: string,
    name: string,
    { cluster, annotations = {}, ...spec }: MachineOptions,
  ): Promise<void> {
    await this.#people.makeSecret(namespace, `${name}-data`, { value: "#cloud-config\n" });
    // The core's own webhook would do it, which is not installed.
    const labels = { "cluster.x-k8s.io/cluster-name": cluster };
    await this.#client.resource<VSphereMachine>(machines).create({
      apiVersion,
      kind: "VSphereMachine",
      metadata: { namespace, name, labels, annotations },
      spec: { ...cloneSpec, ...spec },
    });
    const infrastructureRef = { apiGroup: infrastructureGroup, kind: "VSphereMachine", name };
    const bootstrap = { dataSecretName: `${name}-data` };
    const machine = { clusterName: cluster, bootstrap, infrastructureRef };
    await this.#create(coreResources.machines, { namespace, name, labels }, machine);
  }

  async makeMachineSet(
    namespace: string,
    name: string,
    { cluster, replicas }: { readonly cluster: string; readonly replicas: number },
  ): Promise<void> {
    await this.#people.makeSecret(namespace, `${name}-data`, { value: "#cloud-config\n" });
    await this.#client.resource<KubeObject>(machineTemplates).create({
      apiVersion,
      kind: "VSphereMachineTemplate",
      metadata: { namespace, name },
      spec: { template: { spec: cloneSpec } },
    });
    const labels = { set: name };
    const infrastructureRef = {
      apiGroup: infrastructureGroup,
      kind: "VSphereMachineTemplate",
      name,
    };
    const bootstrap = { dataSecretName: `${name}-data` };
    await this.#create(
      coreResources.machineSets,
      { namespace, name },
      {
        clusterName: cluster,
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { clusterName: cluster, bootstrap, infrastructureRef },
        },
      },
    );
  }

  async pause(namespace: string, name: string, paused: boolean): Promise<void> {
    const patch = { type: "merge", patch: { spec: { paused } } } as const;
    await this.#client.resource(coreResources.clusters).patch({ namespace, name }, patch);
  }

  /** What no simulator does by itself: the guest gets an address. */
  async boot(
    simulator: Simulator,
    namespace: string,
    name: string,
    address: string,
  ): Promise<void> {
    const { spec } = await this.#people.machineIs(namespace, name, "WaitingForAddress");
    await using vcenter = await observe(simulator);
    const found = await findVirtualMachineByUuid(vcenter, {
      uuid: spec.biosUUID ?? "",
      kind: "bios",
    });
    if (!found) throw new Error(`there is no virtual machine ${name}`);
    const extraConfig = { "SET.guest.ipAddress": address };
    await reconfigureVirtualMachine(vcenter, found, { extraConfig });
  }

  /** Waits until a Machine is in a phase. */
  machineIs(namespace: string, name: string, phase: string): Promise<Machine> {
    return this.#machine(namespace, name, {
      what: `to be ${phase}`,
      isSo: ({ status }) => status?.phase === phase,
    });
  }

  /** Waits until a Machine says of its infrastructure what it is about. */
  machineSays(namespace: string, name: string, message: RegExp): Promise<Machine> {
    return this.#machine(namespace, name, {
      what: `to say ${message}`,
      isSo: ({ status }) => message.test(infrastructure(status)?.message ?? ""),
    });
  }

  async deleteMachine(namespace: string, name: string): Promise<void> {
    const resource = this.#client.resource<KubeObject>(coreResources.machines);
    await resource.delete({ namespace, name });
    const isGone = () => resource.get({ namespace, name }).then(() => false, isNotFound);
    await waitFor(isGone, { what: `the Machine ${name} to go`, timeout: patience });
  }

  async #machine(
    namespace: string,
    name: string,
    { what, isSo }: { readonly what: string; readonly isSo: (machine: Machine) => boolean },
  ): Promise<Machine> {
    let last: Machine["status"];
    return waitFor(
      async () => {
        const resource = this.#client.resource<Machine>(coreResources.machines);
        const machine = await resource.get({ namespace, name });
        last = machine.status;
        return isSo(machine) && machine;
      },
      {
        what: `${namespace}/${name} ${what}`,
        detail: () => `it is ${last?.phase}: ${infrastructure(last)?.message}`,
        timeout: patience,
      },
    );
  }

  async #create(resource: Resource, metadata: ObjectMeta, spec: object): Promise<void> {
    const typed = { apiVersion: `${group}/v1beta2`, kind: resource.kind };
    await this.#client.resource<KubeObject>(resource).create({ ...typed, metadata, spec });
  }
}

const cloneSpec = {
  template: "DC0_H0_VM0",
  resourcePool: "DC0_C0/Resources",
  network: { devices: [{ networkName: "VM Network", dhcp4: true }] },
};

function infrastructure(status: Machine["status"]): Condition | undefined {
  return getCondition(status?.conditions, "InfrastructureReady");
}
