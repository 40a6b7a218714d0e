import {
  controllerOf,
  controllerReferenceTo,
  findStatusError,
  type KubeObject,
  objectKeyOf,
  patchSchemaOf,
  type Resource,
} from "@rookery/kube";
import type { ComponentObject } from "../component-object.ts";
import { ComponentError } from "../errors.ts";
import { covers } from "../manifests/covers.ts";
import { componentLabel } from "../names.ts";
import {
  configMaps,
  deployments,
  persistentVolumeClaims,
  podDisruptionBudgets,
  services,
  statefulSets,
} from "../resources.ts";
import { contentHash, withAnnotations } from "./revision.ts";
import type { ComponentScope } from "./scope.ts";

/** A hash of the rendered object: fields that are no longer rendered are removed. */
const renderingAnnotation = "nested.rookery.dev/rendering";

const resources: readonly Resource[] = [
  configMaps,
  persistentVolumeClaims,
  services,
  statefulSets,
  deployments,
  podDisruptionBudgets,
];

function resourceOfObject({ kind }: KubeObject): Resource {
  const resource = resources.find((one) => one.kind === kind);
  if (!resource) throw new TypeError(`could not apply a ${kind}: no component is made of it`);
  return resource;
}

type Writer = Pick<ComponentScope, "find" | "read" | "apply">;

/**
 * Applies the rendered objects in order, unless they match already; returns the live objects. Errors:
 * ComponentError if an object belongs to another owner, or the server rejects it.
 */
export async function applyObjects(
  owner: ComponentObject,
  objects: readonly KubeObject[],
  writer: Writer,
): Promise<KubeObject[]> {
  const present = await Promise.all(
    objects.map(async (object) => {
      const [resource, key] = [resourceOfObject(object), objectKeyOf(object)];
      return (await writer.find(resource, key)) ?? (await writer.read(resource, key));
    }),
  );
  const applied: KubeObject[] = [];
  for (const [index, object] of objects.entries()) {
    applied.push(await applyObject(owner, { object, live: present[index] }, writer));
  }
  return applied;
}

async function applyObject(
  owner: ComponentObject,
  { object, live }: { readonly object: KubeObject; readonly live: KubeObject | undefined },
  { apply }: Writer,
): Promise<KubeObject> {
  const ownerReferences = [controllerReferenceTo(owner)];
  const owned = { ...object, metadata: { ...object.metadata, ownerReferences } };
  const rendered = withAnnotations(owned, { [renderingAnnotation]: contentHash(object) });
  if (live) rejectForeign(owner, live);
  if (live && covers(live, rendered, patchSchemaOf(object.kind))) return live;
  try {
    return await apply(resourceOfObject(object), rendered);
  } catch (error) {
    throw refusal(object, error);
  }
}

/** Rejects objects of other owners. Objects with the label but no controller are adopted. */
function rejectForeign(owner: ComponentObject, live: KubeObject): void {
  const controller = controllerOf(live);
  if (controller?.uid === owner.metadata.uid) return;
  const { kind, metadata } = live;
  if (!controller && metadata.labels?.[componentLabel]) return;
  const other = controller ? `${controller.kind} ${controller.name}` : "another owner";
  throw new ComponentError(
    "ObjectTaken",
    `${kind} ${metadata.name} belongs to ${other}; delete it, or give the Cluster another name`,
  );
}

/** A rejection of the object becomes a condition; other errors are retried. */
function refusal({ kind, metadata }: KubeObject, error: unknown): unknown {
  const code = findStatusError(error)?.status.code ?? 0;
  if (![400, 403, 422].includes(code) || !(error instanceof Error)) return error;
  const text = `could not apply ${kind} ${metadata.name}: ${error.message}`;
  return new ComponentError("ApplyRefused", text, { cause: error });
}
