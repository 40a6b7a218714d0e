import {
  formatApiVersion,
  formatGroupKind,
  type GroupKind,
  type GroupVersion,
  type Resource,
} from "@rookery/kube";

/** A resource by plural, singular or short name; group and version are optional. */
export interface PartialResource extends Partial<GroupVersion> {
  readonly resource: string;
}

/** A kind; the version is optional. */
export type PartialKind = GroupKind & { readonly version?: string };

/** Finds resources among the served ones; the server's order decides between several. */
export class ResourceIndex {
  readonly served: ApiResources;
  readonly #byKind: ReadonlyMap<string, readonly Resource[]>;
  readonly #byName: ReadonlyMap<string, readonly Resource[]>;
  readonly #byShortName: ReadonlyMap<string, readonly Resource[]>;

  constructor(served: ApiResources) {
    const { resources } = served;
    this.served = served;
    this.#byKind = group(resources, (resource) => [formatGroupKind(resource)]);
    this.#byName = group(resources, ({ plural, singular }) => [plural, singular.toLowerCase()]);
    this.#byShortName = group(resources, ({ shortNames = [] }) => shortNames);
  }

  ofKind(wanted: PartialKind): Resource | undefined {
    return this.versionsOfKind(wanted).find((found) => isOfVersion(found, wanted.version));
  }

  versionsOfKind(kind: GroupKind): readonly Resource[] {
    return this.#byKind.get(formatGroupKind(kind)) ?? [];
  }

  /** Names take precedence over short names; a group may be abbreviated. */
  named(wanted: PartialResource): Resource | undefined {
    const name = wanted.resource.toLowerCase();
    return (
      pick(this.#byName.get(name) ?? [], wanted) ?? pick(this.#byShortName.get(name) ?? [], wanted)
    );
  }

  /** Keeps the known resources of groups and versions that cannot be discovered now. */
  static after(previous: ResourceIndex | undefined, served: ApiResources): ResourceIndex {
    const lost = previous?.served.resources.filter((known) =>
      served.failed.has(formatApiVersion(known)),
    );
    if (lost === undefined || lost.length === 0) return new ResourceIndex(served);
    return new ResourceIndex({ ...served, resources: [...served.resources, ...lost] });
  }
}

function group(
  resources: readonly Resource[],
  namesOf: (resource: Resource) => readonly string[],
): ReadonlyMap<string, readonly Resource[]> {
  const groups = new Map<string, Resource[]>();
  for (const resource of resources) {
    for (const name of new Set(namesOf(resource))) {
      const found = groups.get(name);
      if (found) found.push(resource);
      else groups.set(name, [resource]);
    }
  }
  return groups;
}

function pick(candidates: readonly Resource[], wanted: PartialResource): Resource | undefined {
  const { group: name, version } = wanted;
  const ofVersion = candidates.filter((found) => isOfVersion(found, version));
  if (name === undefined) return ofVersion[0];
  const exact = ofVersion.find((found) => found.group === name);
  if (exact || name === "" || version) return exact;
  return ofVersion.find((found) => found.group.startsWith(name));
}

function isOfVersion(resource: Resource, version: string | undefined): boolean {
  return version === undefined || version === "" || resource.version === version;
}

/** A group with its discovered versions, the preferred one first. */
export interface ApiGroup {
  /** "" for the core group. */
  readonly name: string;
  readonly versions: readonly string[];
}

export interface ApiResources {
  /** In the server's order of preference, core first. */
  readonly groups: readonly ApiGroup[];
  readonly resources: readonly Resource[];
  /** Failed groups and versions by apiVersion, such as an aggregated API that is down. */
  readonly failed: ReadonlyMap<string, Error>;
}

export function joinApiResources(parts: readonly ApiResources[]): ApiResources {
  return {
    groups: parts.flatMap((part) => part.groups),
    resources: parts.flatMap((part) => part.resources),
    failed: new Map(parts.flatMap((part) => [...part.failed])),
  };
}
