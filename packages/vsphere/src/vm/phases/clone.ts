import type { VSphereVM } from "@rookery/api";
import { ownerKey, PlacementError } from "../../errors.ts";
import type { Session } from "../../sessions/session.ts";
import type { VCenter } from "../../vim/connect.ts";
import type { ManagedObjectReference } from "../../vim/managed-object.ts";
import { readProperties } from "../../vim/properties.ts";
import { type CloneOptions, cloneVirtualMachine } from "../../vim/virtual-machine.ts";
import {
  childOf,
  childrenOf,
  referenceOf,
  textAt,
  textOf,
  type XmlNode,
} from "../../vim/xml-reader.ts";
import { defaultSize, diskChanges, type NetworkBacking, networkChanges } from "../devices.ts";
import { guestInfoConfig } from "../guestinfo.ts";
import { optionIn } from "../machine-state.ts";
import { Inventory } from "../placement.ts";
import { datastoreFor, storagePolicyId } from "../storage.ts";

/** A clone that can be started. */
export interface PlannedClone {
  readonly cloneMode: "fullClone" | "linkedClone";
  /** Returns the task. */
  readonly start: () => Promise<ManagedObjectReference>;
}

/** Finds the template, the placement and the devices of a clone. Errors: PlacementError. */
export async function planClone(
  { vcenter }: Session,
  vm: VSphereVM,
  userdata: Uint8Array | undefined,
): Promise<PlannedClone> {
  const { spec, metadata } = vm;
  const { name = "", uid = "" } = metadata;
  const inventory = await Inventory.of(vcenter, spec);
  const placement = await inventory.place(spec);
  const template = await readProperties(vcenter, placement.template, [
    "config.hardware.device",
    "config.extraConfig",
    "snapshot",
  ]);
  refuseForeignSource(vm, optionIn(template.get("config.extraConfig"), ownerKey));
  const devices = template.get("config.hardware.device");
  const linkedTo = snapshotFor(template.get("snapshot"), spec);
  const backings = await Promise.all(
    spec.network.devices.map(({ networkName }) => backingFor(vcenter, inventory, networkName)),
  );
  // Shared disks keep their size.
  const disks = linkedTo ? [] : diskChanges(devices, spec);
  const options: CloneOptions = {
    source: placement.template,
    name,
    ...placement,
    ...(await policyPlacement(vcenter, spec, { pool: placement.pool, uid })),
    ...(linkedTo && { linkedTo }),
    config: {
      instanceUuid: uid,
      numCPUs: spec.numCPUs ?? defaultSize.numCPUs,
      ...(spec.numCoresPerSocket !== undefined && { numCoresPerSocket: spec.numCoresPerSocket }),
      memoryMiB: spec.memoryMiB ?? defaultSize.memoryMiB,
      deviceChanges: [...networkChanges(devices, spec, backings), ...disks],
      extraConfig: {
        ...spec.customVMXKeys,
        ...guestInfoConfig({ userdata, hostname: name, network: spec.network }),
        [ownerKey]: metadata.namespace ?? "",
      },
    },
  };
  return {
    cloneMode: linkedTo ? "linkedClone" : "fullClone",
    start: () => cloneVirtualMachine(vcenter, options),
  };
}

/** A clone of another namespace's machine would have its disks and the configuration of its guest. */
function refuseForeignSource({ metadata, spec }: VSphereVM, owner: string | undefined): void {
  if (owner === undefined || owner === metadata.namespace) return;
  const why = `it is a virtual machine of another namespace; name a template, or let an administrator remove ${ownerKey} from its configuration`;
  throw new PlacementError("template", spec.template, why);
}

/** Where no datastore is named, the storage policy decides. */
async function policyPlacement(
  vcenter: VCenter,
  spec: VSphereVM["spec"],
  where: { readonly pool: ManagedObjectReference; readonly uid: string },
): Promise<{ readonly datastore?: ManagedObjectReference }> {
  const policyId = await storagePolicyId(vcenter, spec);
  if (policyId === undefined || spec.datastore) return {};
  return { datastore: await datastoreFor(vcenter, spec, { policyId, ...where }) };
}

async function backingFor(
  vcenter: VCenter,
  inventory: Inventory,
  name: string,
): Promise<NetworkBacking> {
  const network = await inventory.network(name);
  if (network.type !== "DistributedVirtualPortgroup") return { network, name };
  const switchPath = "config.distributedVirtualSwitch";
  const group = await readProperties(vcenter, network, ["key", switchPath]);
  const dvs = referenceOf(group.get(switchPath));
  const read = dvs && (await readProperties(vcenter, dvs, ["uuid"]));
  const switchUuid = textOf(read?.get("uuid")) ?? "";
  const portgroupKey = textOf(group.get("key")) ?? "";
  return { network, name, port: { switchUuid, portgroupKey } };
}

/**
 * The snapshot whose disks a clone shares: the one that is named, else the current one. Undefined
 * where disks are copied. Errors: PlacementError.
 */
export function snapshotFor(
  info: XmlNode | undefined,
  { cloneMode, snapshot: name }: Pick<VSphereVM["spec"], "cloneMode" | "snapshot">,
): ManagedObjectReference | undefined {
  if (cloneMode === "fullClone") return undefined;
  if (!name) return referenceOf(childOf(info, "currentSnapshot"));
  const found = named(childrenOf(info, "rootSnapshotList"), name);
  if (found) return found;
  throw new PlacementError("snapshot", name, "the template has no such snapshot");
}

function named(trees: readonly XmlNode[], name: string): ManagedObjectReference | undefined {
  for (const tree of trees) {
    const own = textAt(tree, "name") === name ? referenceOf(childOf(tree, "snapshot")) : undefined;
    const found = own ?? named(childrenOf(tree, "childSnapshotList"), name);
    if (found) return found;
  }
  return undefined;
}
