import type { ServedGroup, ServedResource, ServedVersion } from "@rookery/apiserver";
import { deepEqual } from "@rookery/kube";
import { isCrdConditionTrue } from "../kinds/apiextensions/conditions.ts";
import { type Crd, groupOf, isServed, versionsOf } from "./crd.ts";
import { type CustomResourceContext, customResource } from "./custom-resource.ts";
import { compareVersions } from "./kube-aware-version.ts";

interface ServedCrd {
  readonly crd: Crd;
  /** By version. */
  readonly resources: ReadonlyMap<string, ServedResource>;
  /** Aborted when the kinds change or are deleted, to end watches. */
  readonly changed: AbortController;
}

/** The groups of CRDs. Unchanged parts stay the same objects. */
export class ServedCrds {
  readonly #context: CustomResourceContext;
  #served: ReadonlyMap<string, ServedCrd> = new Map();
  #groups: readonly ServedGroup[] = [];

  constructor(context: CustomResourceContext) {
    this.#context = context;
  }

  get groups(): readonly ServedGroup[] {
    return this.#groups;
  }

  /** Serves these CRDs. Returns whether anything has changed. */
  set(crds: readonly Crd[]): boolean {
    const next = new Map<string, ServedCrd>();
    for (const crd of crds.filter(isServed)) {
      const name = crd.metadata.name ?? "";
      const known = this.#served.get(name);
      next.set(name, known && isSame(known.crd, crd) ? known : this.#serve(crd, known));
    }
    const isChanged =
      next.size !== this.#served.size ||
      [...next].some(([name, served]) => this.#served.get(name) !== served);
    if (!isChanged) return false;
    for (const [name, { changed }] of this.#served) {
      if (next.get(name)?.changed !== changed) changed.abort();
    }
    this.#served = next;
    this.#groups = this.#regroup([...next.values()]);
    return true;
  }

  #serve(crd: Crd, known: ServedCrd | undefined): ServedCrd {
    const changed = known && hasSameKinds(known.crd, crd) ? known.changed : new AbortController();
    const context = { ...this.#context, changed: changed.signal };
    const served = versionsOf(crd).filter((version) => version.served);
    const resources = served.map(
      (version) => [version.name ?? "", customResource(crd, version, context)] as const,
    );
    return { crd, resources: new Map(resources), changed };
  }

  #regroup(served: readonly ServedCrd[]): readonly ServedGroup[] {
    const byGroup = Map.groupBy(served, ({ crd }) => groupOf(crd));
    return [...byGroup]
      .map(([name, members]) => this.#groupOf(name, members))
      .filter(({ versions }) => versions.length > 0)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  #groupOf(name: string, members: readonly ServedCrd[]): ServedGroup {
    const known = this.#groups.find((group) => group.name === name);
    const names = new Set(members.flatMap(({ resources }) => [...resources.keys()]));
    const versions = [...names].toSorted(compareVersions).map((version): ServedVersion => {
      const before = known?.versions.find((each) => each.name === version);
      const resources = members
        .flatMap((member) => member.resources.get(version) ?? [])
        .toSorted((a, b) => (a.plural < b.plural ? -1 : 1));
      return before && isSameList(before.resources, resources)
        ? before
        : { name: version, resources };
    });
    return known && isSameList(known.versions, versions) ? known : { name, versions };
  }
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** Whether two states of a CRD result in the same resources. */
function isSame(a: Crd, b: Crd): boolean {
  if (a === b) return true;
  const isTerminating = (crd: Crd) => isCrdConditionTrue(crd, "Terminating");
  return (
    isTerminating(a) === isTerminating(b) &&
    deepEqual(a.status?.storedVersions, b.status?.storedVersions) &&
    hasSameKinds(a, b)
  );
}

/** Whether watches can continue, by the rules of kube-apiserver. */
function hasSameKinds(a: Crd, b: Crd): boolean {
  return (
    a.metadata.uid === b.metadata.uid &&
    deepEqual(a.status?.acceptedNames, b.status?.acceptedNames) &&
    deepEqual(a.spec, b.spec)
  );
}

/** Merges groups and versions with the same name. */
export function mergeGroups(groups: readonly ServedGroup[]): readonly ServedGroup[] {
  const byName = Map.groupBy(groups, ({ name }) => name);
  return [...byName].map(([name, parts]) =>
    parts.length === 1 && parts[0]
      ? parts[0]
      : { name, versions: mergeVersions(parts.flatMap(({ versions }) => versions)) },
  );
}

function mergeVersions(versions: readonly ServedVersion[]): readonly ServedVersion[] {
  const byName = Map.groupBy(versions, ({ name }) => name);
  return [...byName].map(([name, parts]) =>
    parts.length === 1 && parts[0]
      ? parts[0]
      : { name, resources: parts.flatMap(({ resources }) => resources) },
  );
}
