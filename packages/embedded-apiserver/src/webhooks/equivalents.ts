import type { ServedGroup } from "@rookery/apiserver";
import type { GroupVersionKind, GroupVersionResource } from "@rookery/kube";
import type { EquivalentResource, EquivalentsOf } from "./select-webhook.ts";

/** The two groups that hold the same events. */
const eventGroups: readonly string[] = ["", "events.k8s.io"];

/** Finds the versions of a resource among those that are served now. */
export function equivalentsIn(groups: () => readonly ServedGroup[]): EquivalentsOf {
  return (resource, subresource) => {
    const names =
      resource.resource === "events" && eventGroups.includes(resource.group)
        ? eventGroups
        : [resource.group];
    return groups()
      .filter(({ name }) => names.includes(name))
      .flatMap((group) => versionsOf(group, resource.resource, subresource))
      .filter((each) => !isSame(each.resource, resource));
  };
}

function versionsOf(
  { name: group, versions }: ServedGroup,
  plural: string,
  subresource: string,
): EquivalentResource[] {
  return versions.flatMap(({ name: version, resources }) => {
    const served = resources.find((each) => each.plural === plural);
    const kind = served && kindOf(served, { group, version }, subresource);
    return kind ? [{ resource: { group, version, resource: plural }, kind }] : [];
  });
}

type Served = ServedGroup["versions"][number]["resources"][number];

function kindOf(
  { kind, subresources }: Served,
  at: { readonly group: string; readonly version: string },
  subresource: string,
): GroupVersionKind | undefined {
  if (subresource === "") return { ...at, kind };
  const part = subresources?.[subresource];
  return part && (part.kind ?? { ...at, kind });
}

function isSame(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return a.group === b.group && a.version === b.version && a.resource === b.resource;
}
