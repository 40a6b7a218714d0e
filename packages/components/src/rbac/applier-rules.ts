import type { Component } from "../documents/documents.ts";
import { groupOf } from "../render/component-shapes.ts";
import { type ComponentKind, guessedKinds, kindLookup } from "../render/known-kinds.ts";

/** A rule of a Role or a ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Rights on components, for the cluster and by namespace. */
interface ApplierRules {
  readonly cluster: readonly PolicyRule[];
  readonly namespaces: Readonly<Record<string, readonly PolicyRule[]>>;
}

const rbac = "rbac.authorization.k8s.io";
const crds = "customresourcedefinitions";

/**
 * The smallest rights to apply, watch and delete rendered components, by name where possible. They
 * include writing and binding the components' roles, and no other role.
 */
export function applierRules(components: readonly Component[]): ApplierRules {
  const lookup = kindLookup(components, guessedKinds(components));
  const known = components.flatMap((component) => {
    const kind = lookup(component);
    return kind ? [{ component, kind }] : [];
  });
  const places = Map.groupBy(known, ({ component, kind }) =>
    kind.namespaced ? (component.metadata.namespace ?? "") : undefined,
  );
  const rules = (place: string | undefined) => rulesFor(places.get(place) ?? []);
  const namespaces = [...places.keys()].filter((place) => place !== undefined).sort();
  return {
    cluster: rules(undefined),
    namespaces: Object.fromEntries(namespaces.map((place) => [place, rules(place)])),
  };
}

interface Member {
  readonly component: Component;
  readonly kind: ComponentKind;
}

function rulesFor(members: readonly Member[]): readonly PolicyRule[] {
  const kinds = Map.groupBy(members, ({ kind }) => `${kind.group}/${kind.plural}`);
  const own = [...kinds.keys()].sort().flatMap((key) => rulesOfKind(kinds.get(key) ?? []));
  return [...own, ...bindRules(members.map(({ component }) => component))];
}

function rulesOfKind(members: readonly Member[]): PolicyRule[] {
  const [first] = members;
  if (!first) return [];
  const { group, plural } = first.kind;
  const resourceNames = members.map(({ component }) => component.metadata.name ?? "").sort();
  const apiGroups = [group];
  const isRole = group === rbac && /roles$/.test(plural);
  const verbs = ["get", "patch", "delete", ...(isRole ? ["escalate"] : [])];
  const status = {
    apiGroups,
    resources: [`${crds}/status`],
    resourceNames,
    verbs: ["get", "patch"],
  };
  return [
    // Rights to create and watch can't be limited to names.
    { apiGroups, resources: [plural], verbs: ["create", "list", "watch"] },
    { apiGroups, resources: [plural], resourceNames, verbs },
    ...(plural === crds ? [status] : []),
  ];
}

/** Bindings need the right to bind each of their roles. */
function bindRules(components: readonly Component[]): PolicyRule[] {
  const bindings = components.filter(
    (one) => groupOf(one) === rbac && one.kind.endsWith("Binding"),
  );
  const references = bindings.map(
    ({ roleRef }) => Object(roleRef) as { kind?: string; name?: string },
  );
  const byKind = Map.groupBy(references, ({ kind }) =>
    kind === "Role" ? "roles" : "clusterroles",
  );
  return [...byKind].map(([resource, roles]) => ({
    apiGroups: [rbac],
    resources: [resource],
    resourceNames: [...new Set(roles.map(({ name }) => name ?? ""))].sort(),
    verbs: ["bind"],
  }));
}
