import type { VCenter } from "./connect.ts";
import type { ManagedObjectReference } from "./managed-object.ts";
import { type ObjectContent, retrieveViewProperties } from "./properties.ts";
import { callForReference } from "./soap.ts";
import { referenceOf } from "./xml-reader.ts";
import { reference, value } from "./xml-writer.ts";

/** Finds an object by its path, such as "/DC0/vm/templates/ubuntu"; undefined if there is none. */
export async function findByInventoryPath(
  vcenter: VCenter,
  path: string,
  signal?: AbortSignal,
): Promise<ManagedObjectReference | undefined> {
  const found = await vcenter.call({
    method: "FindByInventoryPath",
    self: vcenter.content.searchIndex,
    args: [value("inventoryPath", path.replace(/^\/+/, ""))],
    signal,
  });
  return referenceOf(found);
}

export interface FindByUuid {
  readonly uuid: string;
  /** The UUID of the BIOS, or that of the instance, which the vCenter assigns. */
  readonly kind: "bios" | "instance";
  readonly datacenter?: ManagedObjectReference;
}

/** Finds a virtual machine by its UUID; undefined if there is none. */
export async function findVirtualMachineByUuid(
  vcenter: VCenter,
  { uuid, kind, datacenter }: FindByUuid,
  signal?: AbortSignal,
): Promise<ManagedObjectReference | undefined> {
  const found = await vcenter.call({
    method: "FindByUuid",
    self: vcenter.content.searchIndex,
    args: [
      reference("datacenter", datacenter),
      value("uuid", uuid),
      value("vmSearch", true),
      value("instanceUuid", kind === "instance"),
    ],
    signal,
  });
  return referenceOf(found);
}

export interface ListOptions {
  /** Such as "VirtualMachine". */
  readonly type: string;
  readonly paths: readonly string[];
  /** The object to search, with everything below it; the root folder by default. */
  readonly container?: ManagedObjectReference;
  readonly signal?: AbortSignal;
}

/** Reads properties of all objects of a type, by a temporary view. */
export async function listObjects(
  vcenter: VCenter,
  { type, paths, container = vcenter.content.rootFolder, signal }: ListOptions,
): Promise<ObjectContent[]> {
  const view = await callForReference(vcenter, "view", {
    method: "CreateContainerView",
    self: vcenter.content.viewManager,
    args: [reference("container", container), value("type", type), value("recursive", true)],
    signal,
  });
  try {
    return await retrieveViewProperties(vcenter, view, { type, paths, signal });
  } finally {
    await vcenter.call({ method: "DestroyView", self: view });
  }
}
