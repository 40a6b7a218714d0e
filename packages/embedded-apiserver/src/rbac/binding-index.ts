import type { ClusterRoleBinding, RbacSubject, RoleBinding } from "@rookery/api";
import type { UserInfo } from "@rookery/apiserver";
import type { StoreEntry, StoreEvent } from "@rookery/kube";
import { serviceAccountUser } from "@rookery/kube";
import type { Store } from "../store/store.ts";

export type Binding = RoleBinding | ClusterRoleBinding;

const resources = [
  "clusterrolebindings.rbac.authorization.k8s.io",
  "rolebindings.rbac.authorization.k8s.io",
];

/**
 * The bindings of each namespace ("" for the cluster) by subject. Follows the store, so that
 * requests need not scan all bindings.
 */
export class BindingIndex {
  /** By namespace, subject and name. */
  readonly #bindings = new Map<string, Map<string, Map<string, Binding>>>();

  constructor(store: Store) {
    for (const resource of resources) {
      const { entries, revision } = store.list(resource);
      for (const entry of entries) this.#add(entry);
      store.watch(resource, revision, (event) => this.#follow(event));
    }
  }

  /** The bindings that apply to a user, sorted by name. */
  bindingsOf({ name, groups }: UserInfo, namespace: string): readonly Binding[] {
    const bySubject = this.#bindings.get(namespace);
    if (bySubject === undefined) return [];
    const found = new Map<string, Binding>();
    const take = (key: string) => {
      for (const [each, binding] of bySubject.get(key) ?? []) found.set(each, binding);
    };
    take(userKey(name));
    for (const group of groups) take(groupKey(group));
    if (found.size < 2) return [...found.values()];
    return [...found.keys()].toSorted().map((each) => found.get(each) as Binding);
  }

  #follow({ entry, previous }: StoreEvent): void {
    if (previous !== undefined) this.#remove(previous);
    if (entry !== undefined) this.#add(entry);
  }

  #add({ namespace, name, object }: StoreEntry): void {
    const binding = object as Binding;
    const bySubject = mapAt(this.#bindings, namespace);
    for (const key of keysOf(binding, namespace)) mapAt(bySubject, key).set(name, binding);
  }

  #remove({ namespace, name, object }: StoreEntry): void {
    const bySubject = this.#bindings.get(namespace);
    for (const key of keysOf(object as Binding, namespace)) {
      const byName = bySubject?.get(key);
      byName?.delete(name);
      if (byName?.size === 0) bySubject?.delete(key);
    }
    if (bySubject?.size === 0) this.#bindings.delete(namespace);
  }
}

/** The first subject of a binding that matches the user. */
export function subjectOf(binding: Binding, user: UserInfo, namespace: string) {
  const keys = new Set([userKey(user.name), ...user.groups.map(groupKey)]);
  return binding.subjects?.find((subject) => keys.has(keyOf(subject, namespace) ?? ""));
}

function keysOf({ subjects = [] }: Binding, namespace: string): string[] {
  return subjects.flatMap((subject) => keyOf(subject, namespace) ?? []);
}

function keyOf({ kind, name = "", namespace }: RbacSubject, own: string): string | undefined {
  if (kind === "User") return userKey(name);
  if (kind === "Group") return groupKey(name);
  const home = namespace || own;
  if (kind !== "ServiceAccount" || home === "") return undefined;
  return userKey(serviceAccountUser(home, name));
}

function userKey(name: string): string {
  return `u${name}`;
}

function groupKey(name: string): string {
  return `g${name}`;
}

function mapAt<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let map = maps.get(key);
  if (map === undefined) {
    map = new Map();
    maps.set(key, map);
  }
  return map;
}
