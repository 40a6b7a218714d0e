import type { VSphereCluster, VSphereVM } from "@rookery/api";
import type { Client } from "@rookery/client";
import { type KubeObject, ownerReferenceTo, type Resource } from "@rookery/kube";
import { findVirtualMachineByUuid } from "../src/vim/inventory.ts";
import { retrieveProperties } from "../src/vim/properties.ts";
import { PropertyStream } from "../src/vim/property-stream.ts";
import { reconfigureVirtualMachine } from "../src/vim/virtual-machine.ts";
import { clusters, identities, machines, secrets } from "./running-provider.ts";
import { observe, type Simulator } from "./vcsim.ts";
import { waitForTask } from "./vim-calls.ts";

/** The key in a machine's configuration with its namespace. */
export const ownerKey = "rookery.namespace";

/**
 * Leaves the objects of a namespace, and their machines, as the state before servers were listed left
 * them: statuses do not say what was connected, and machines not whose they are.
 */
export async function leaveAsBefore(
  client: Client,
  namespace: string,
  simulator: Simulator,
): Promise<void> {
  for (const resource of [clusters, machines]) {
    const { items } = await client
      .resource<VSphereCluster | VSphereVM>(resource)
      .list({ namespace });
    for (const { metadata, status } of items) {
      const conditions = (status?.conditions ?? []).filter(({ type }) => type !== "ServerAllowed");
      const patch = { status: { connection: null, conditions } };
      const key = { namespace, name: metadata.name ?? "" };
      await client.resource(resource).status.patch(key, { type: "merge", patch });
    }
  }
  const { items } = await client.resource<VSphereVM>(machines).list({ namespace });
  for (const { spec } of items) await setOwner(simulator, spec.biosUUID ?? "", "");
}

/** Writes into a machine's configuration whose it is; nobody's where it is empty. */
export async function setOwner(simulator: Simulator, biosUuid: string, to: string): Promise<void> {
  await using vcenter = await observe(simulator);
  const machine = await findVirtualMachineByUuid(vcenter, { uuid: biosUuid, kind: "bios" });
  if (!machine) throw new Error(`there is no machine ${biosUuid}`);
  const task = await reconfigureVirtualMachine(vcenter, machine, {
    extraConfig: { [ownerKey]: to },
  });
  await waitForTask(new PropertyStream(vcenter), task);
}

/** What a vCenter has of a machine, as text; undefined where it is gone. */
export async function machineOn(simulator: Simulator, biosUuid: string) {
  await using vcenter = await observe(simulator);
  const machine = await findVirtualMachineByUuid(vcenter, { uuid: biosUuid, kind: "bios" });
  if (!machine) return undefined;
  const paths = ["runtime.powerState", "config.extraConfig", "config.files"];
  const [read] = await retrieveProperties(vcenter, [machine], { paths });
  return { machine, text: JSON.stringify([...(read?.properties ?? [])]) };
}

/** Makes an identity an owner of a Secret, as the manager did. */
export async function ownSecretAs(
  client: Client,
  identity: string,
  key: { namespace: string; name: string },
): Promise<void> {
  const owner = await client.resource<KubeObject>(identities).get({ name: identity });
  const { metadata } = await client.resource<KubeObject>(secrets as Resource).get(key);
  const ownerReferences = [...(metadata.ownerReferences ?? []), ownerReferenceTo(owner)];
  const patch = { metadata: { ownerReferences } };
  await client.resource(secrets).patch(key, { type: "merge", patch });
}
