import { isControlledBy, type KubeObject, type Resource } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import type { ComponentObject } from "../component-object.ts";
import { type Component, selectorLabels } from "../names.ts";
import { pods } from "../resources.ts";
import type { ComponentScope } from "./scope.ts";

export interface Removal {
  readonly component: Component;
  readonly cluster: string;
  readonly resources: readonly Resource[];
}

type Remover = Pick<ComponentScope, "list" | "remove">;

/** Deletes the objects of a component. Returns a message while some still exist. */
export async function removeObjects(
  owner: ComponentObject,
  { component, cluster, resources }: Removal,
  { list, remove }: Remover,
): Promise<string | undefined> {
  const { namespace = "" } = owner.metadata;
  const labels = selectorLabels(cluster, component);
  const left: KubeObject[] = [];
  for (const resource of resources) {
    const owned = (await list(resource, namespace, labels)).filter((one) =>
      isControlledBy(one, owner),
    );
    left.push(...owned);
    for (const object of owned) if (!isBeingDeleted(object)) await remove(resource, object);
  }
  left.push(...(await list(pods, namespace, labels)));
  return left.length === 0 ? undefined : `${namesOf(left)} still there`;
}

export function namesOf(objects: readonly KubeObject[]): string {
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return `${names.join(", ")} ${names.length === 1 ? "is" : "are"}`;
}
