import { UnexpectedAnswerError } from "../errors.ts";
import type { VCenter } from "./connect.ts";
import type { ManagedObjectReference } from "./managed-object.ts";
import { type ObjectContent, retrieveViewProperties } from "./properties.ts";
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

export interface ListOptions {
  /** Such as "VirtualMachine". */
  readonly type: string;
  readonly paths: readonly string[];
  /** Where to look, with all that is below; everywhere where it is absent. */
  readonly container?: ManagedObjectReference;
  readonly signal?: AbortSignal;
}

/** Reads properties of all objects of a type, through a view that is gone afterwards. */
export async function listObjects(
  vcenter: VCenter,
  options: ListOptions,
): Promise<ObjectContent[]> {
  const { type, paths, signal } = options;
  const view = await createContainerView(vcenter, options);
  try {
    return await retrieveViewProperties(vcenter, view, { type, paths, signal });
  } finally {
    await vcenter.call({ method: "DestroyView", self: view });
  }
}

async function createContainerView(
  vcenter: VCenter,
  { type, container = vcenter.content.rootFolder, signal }: ListOptions,
): Promise<ManagedObjectReference> {
  const method = "CreateContainerView";
  const answer = await vcenter.call({
    method,
    self: vcenter.content.viewManager,
    args: [reference("container", container), value("type", type), value("recursive", true)],
    ...(signal && { signal }),
  });
  const view = referenceOf(answer);
  if (!view) throw new UnexpectedAnswerError(method, "it has no view");
  return view;
}
