import type { VCenter } from "./connect.ts";
import type { ManagedObjectReference } from "./managed-object.ts";
import { referenceOf } from "./xml-reader.ts";
import { reference, value } from "./xml-writer.ts";

/** Finds an object by its path, such as "/DC0/vm/templates/ubuntu"; undefined where there is none. */
export async function findByInventoryPath(
  vcenter: VCenter,
  path: string,
  signal?: AbortSignal,
): Promise<ManagedObjectReference | undefined> {
  const found = await vcenter.call({
    method: "FindByInventoryPath",
    self: vcenter.content.searchIndex,
    args: [value("inventoryPath", path.replace(/^\/+/, ""))],
    ...(signal && { signal }),
  });
  return referenceOf(found);
}

export interface FindByUuid {
  readonly uuid: string;
  /** Which UUID: of the BIOS, or the vCenter's own of the instance. */
  readonly kind: "bios" | "instance";
  readonly datacenter?: ManagedObjectReference;
}

/** Finds a virtual machine by its UUID; undefined where there is none. */
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
    ...(signal && { signal }),
  });
  return referenceOf(found);
}
