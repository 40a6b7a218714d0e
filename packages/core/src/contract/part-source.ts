import { type GroupKind, type KubeObject, objectKeyOf, type Resource } from "@rookery/kube";
import {
  type Cache,
  createInformerSource,
  enqueueRequestsFromMapFunction,
  type Informer,
  type Request,
  type Source,
} from "@rookery/runtime";

export interface PartSourceOptions<T extends KubeObject> {
  readonly cache: Cache;
  /** The kind of the parts. */
  readonly resource: Resource;
  /** The kind of those that are made of them. */
  readonly owner: GroupKind;
  /** Those, with an index "parts" of what they name. */
  readonly users: Informer<T>;
}

/** What a part is found by in the index. */
export function referenceKey(kind: string, name: string): string {
  return `${kind}/${name}`;
}

/** Asks for who owns a part, and for who names it: it may be there before it is owned. */
export function partSource<T extends KubeObject>(options: PartSourceOptions<T>): Source {
  const { cache, resource, owner, users } = options;
  return createInformerSource({
    informer: cache.informerFor<KubeObject>(resource),
    handler: enqueueRequestsFromMapFunction(({ metadata }) => {
      const { name = "", namespace } = metadata;
      const value = referenceKey(resource.kind, name);
      const query = { index: { name: "parts", value }, ...(namespace && { namespace }) };
      return [...ownersOf(metadata, owner), ...users.list(query).map(objectKeyOf)];
    }),
  });
}

function ownersOf({ ownerReferences = [], namespace }: KubeObject["metadata"], owner: GroupKind) {
  return ownerReferences
    .filter(
      ({ apiVersion, kind }) => kind === owner.kind && apiVersion.startsWith(`${owner.group}/`),
    )
    .map(({ name }): Request => ({ name, ...(namespace && { namespace }) }));
}
