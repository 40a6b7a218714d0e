import type { VSphereVM } from "@rookery/api";
import { PlacementError } from "../errors.ts";
import type { ManagedObjectReference } from "../vim/managed-object.ts";
import { childOf, childrenOf, referenceOf, textAt, type XmlNode } from "../vim/xml-reader.ts";

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
