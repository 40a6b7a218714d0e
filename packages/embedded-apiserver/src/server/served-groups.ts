import type { ServedGroup, ServedResource } from "@rookery/apiserver";

/** A resource and where it is served. */
export interface PlacedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: ServedResource;
}

/** The order in which kube-apiserver's discovery tells of its own groups. */
const order = [
  "",
  "apiregistration.k8s.io",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
];

/** Resources as groups, with others among them. Within a group they come by name, as in discovery. */
export function groupsOf(
  placed: readonly PlacedResource[],
  others: readonly ServedGroup[] = [],
): readonly ServedGroup[] {
  const byGroup = Map.groupBy(placed, ({ group }) => group);
  const groups = [...byGroup].map(([name, members]) => ({ name, versions: versionsOf(members) }));
  return [...groups, ...others].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

function versionsOf(members: readonly PlacedResource[]) {
  const byVersion = Map.groupBy(members, ({ version }) => version);
  return [...byVersion].map(([name, items]) => ({
    name,
    resources: items.map(({ resource }) => resource).sort((a, b) => (a.plural < b.plural ? -1 : 1)),
  }));
}
