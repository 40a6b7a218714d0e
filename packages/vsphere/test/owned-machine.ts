import type { VSphereMachine } from "@rookery/api";
import type { Client } from "@rookery/client";
import { type KubeObject, ownerReferenceTo, type Resource } from "@rookery/kube";
import { coreResources } from "./core-user.ts";
import { machines } from "./provider-resources.ts";
import { type SecretObject, secrets } from "./running-provider.ts";

export interface OwnedMachineOptions {
  readonly namespace: string;
  readonly name: string;
  readonly cluster: string;
  readonly spec?: Partial<VSphereMachine["spec"]>;
}

/** A Machine with its data and its VSphereMachine, joined as Cluster API joins them. */
export async function makeOwnedMachine(
  client: Client,
  options: OwnedMachineOptions,
): Promise<void> {
  const { namespace, name, cluster, spec } = options;
  const labels = { "cluster.x-k8s.io/cluster-name": cluster };
  const core = (resource: Resource) => client.resource<KubeObject>(resource);
  const ownedBy = (owner: KubeObject) => ({
    namespace,
    name,
    labels,
    ownerReferences: [ownerReferenceTo(owner)],
  });
  const owner = await core(coreResources.machines).create({
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: ownedBy(await core(coreResources.clusters).get({ namespace, name: cluster })),
    spec: {
      clusterName: cluster,
      bootstrap: { dataSecretName: name },
      infrastructureRef: { apiGroup: machines.group, kind: machines.kind, name },
    },
  });
  await client.resource<SecretObject>(secrets).create({
    apiVersion: "v1",
    kind: "Secret",
    metadata: ownedBy(owner),
    stringData: { value: "#cloud-config\n" },
  });
  await client.resource<VSphereMachine>(machines).create({
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "VSphereMachine",
    metadata: ownedBy(owner),
    spec: {
      template: "DC0_H0_VM0",
      resourcePool: "DC0_C0/Resources",
      network: { devices: [{ networkName: "VM Network", dhcp4: true }] },
      ...spec,
    },
  });
}

/** Says of an object of Cluster API what its core would say. */
export async function sayAsCore(
  client: Client,
  resource: Resource,
  said: { readonly namespace: string; readonly name: string; readonly status: object },
): Promise<void> {
  const { status, ...key } = said;
  await client.resource(resource).status.patch(key, { type: "merge", patch: { status } });
}
