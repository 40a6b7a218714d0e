import { type Client, getOptional, ignoreAlreadyExists } from "@rookery/client";
import { createMergePatch, type KubeObject, objectKeyOf } from "@rookery/kube";
import { oneError } from "../../errors.ts";

/** Creates the objects that do not exist; existing ones stay as they are. Rejects after all were tried. */
export function createObjects(client: Client, objects: readonly KubeObject[]): Promise<void> {
  return forAll(objects, async (object) => {
    const resource = await client.kind(object);
    await ignoreAlreadyExists(resource.create(object));
  });
}

/** Creates or patches every object. Rejects after all were tried. */
export function reconcileObjects(client: Client, objects: readonly KubeObject[]): Promise<void> {
  return forAll(objects, async (object) => {
    const resource = await client.kind<KubeObject>(object);
    const key = objectKeyOf(object);
    const current = await getOptional(resource, key);
    if (!current) {
      await resource.create(object);
      return;
    }
    const patch = createMergePatch(comparable(current, object), object);
    if (Object.keys(patch).length === 0) return;
    const { resourceVersion } = current.metadata;
    const metadata = { ...(patch.metadata as object | undefined), resourceVersion };
    await resource.patch(key, { type: "merge", patch: { ...patch, metadata } });
  });
}

/** Without the fields that only the server sets: a patch cannot remove them. */
function comparable(current: KubeObject, wanted: KubeObject): object {
  const { status, metadata, ...rest } = current;
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = metadata;
  return {
    ...rest,
    metadata: {
      name,
      ...(namespace && { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ...(ownerReferences && { ownerReferences }),
    },
    ...(wanted.status !== undefined && status !== undefined && { status }),
  };
}

async function forAll(
  objects: readonly KubeObject[],
  apply: (object: KubeObject) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const object of objects) {
    try {
      await apply(object);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw oneError(errors);
}
