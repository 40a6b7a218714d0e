import type { AdmissionAttributes, ServedGroup } from "@rookery/apiserver";
import {
  formatApiVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  internalError,
  type KubeObject,
} from "@rookery/kube";
import type { Invocation } from "./admission-review.ts";
import type { EquivalentResource, EquivalentsOf } from "./select-webhook.ts";

/** The two groups of events. */
const eventGroups: readonly string[] = ["", "events.k8s.io"];

/** Finds equivalents among the served resources. */
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

/** Converts objects to another version of their kind. */
export type ConvertObjects = (
  objects: readonly KubeObject[],
  kind: GroupVersionKind,
) => Promise<readonly KubeObject[]>;

/** The request for a webhook, with objects in the version that it supports. */
export async function invocationOf(
  { kind, object, oldObject }: AdmissionAttributes,
  selected: EquivalentResource,
  convert: ConvertObjects,
): Promise<Invocation> {
  if (isSameKind(kind, selected.kind)) return { ...selected, object, oldObject };
  const given = [object, oldObject].filter((each) => each !== undefined);
  const converted = [...(await convertAll(given, selected.kind, convert))];
  return {
    ...selected,
    object: object && converted.shift(),
    oldObject: oldObject && converted.shift(),
  };
}

/** Converts an object that a webhook has changed to the version of the request. */
export async function toRequestVersion(
  object: KubeObject,
  { kind }: AdmissionAttributes,
  convert: ConvertObjects,
): Promise<KubeObject> {
  if (object.apiVersion === formatApiVersion(kind)) return object;
  const [converted = object] = await convertAll([object], kind, convert);
  return converted;
}

async function convertAll(
  objects: readonly KubeObject[],
  kind: GroupVersionKind,
  convert: ConvertObjects,
): Promise<readonly KubeObject[]> {
  try {
    return await convert(objects, kind);
  } catch (error) {
    throw internalError(error instanceof Error ? error : new Error(String(error)));
  }
}

function isSameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.group === b.group && a.version === b.version && a.kind === b.kind;
}
