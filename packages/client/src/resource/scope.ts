import { formatGroupResource, type ObjectKey, type PathTarget, type Resource } from "@rookery/kube";
import { ScopeError } from "../errors.ts";

/** Throws ScopeError for a namespace that does not fit the resource. */
export function objectTarget(verb: string, resource: Resource, key: ObjectKey): PathTarget {
  const what = `${verb} ${describe(resource)} ${JSON.stringify(key.name)}`;
  if (key.name === "") throw new ScopeError(what, "it has no name");
  return { ...namespaceTarget(what, resource, key.namespace), name: key.name };
}

/** For objects without a name. */
export function namespaceTarget(
  what: string,
  resource: Resource,
  namespace: string | undefined,
): PathTarget {
  if (resource.namespaced && !namespace) {
    throw new ScopeError(what, `${describe(resource)} are namespaced; name a namespace`);
  }
  return collectionTarget(what, resource, namespace);
}

/** For the objects of one namespace, or of all. */
export function collectionTarget(
  what: string,
  resource: Resource,
  namespace: string | undefined,
): PathTarget {
  if (!namespace) return {};
  if (resource.namespaced) return { namespace };
  const reason = `${describe(resource)} are cluster-scoped; leave out the namespace`;
  throw new ScopeError(what, `${reason} ${JSON.stringify(namespace)}`);
}

function describe({ group, plural }: Resource): string {
  return formatGroupResource({ group, resource: plural });
}
