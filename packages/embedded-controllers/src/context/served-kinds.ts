import type { ServedGroup, ServedResource } from "@rookery/apiserver";
import { formatApiVersion, formatGroupResource, type Resource } from "@rookery/kube";

/** A kind that is served from the store, and what it is called there. */
export interface StoredKind {
  readonly resource: Resource;
  /** Such as "deployments.apps". */
  readonly stored: string;
  readonly handlers: ServedResource["handlers"];
}

/** Finds kinds among the groups that are served right now: CustomResourceDefinitions come and go. */
export class ServedKinds {
  readonly #groups: () => readonly ServedGroup[];
  #known: readonly ServedGroup[] = [];
  #byKind = new Map<string, StoredKind>();
  #byStored = new Map<string, StoredKind>();

  constructor(groups: () => readonly ServedGroup[]) {
    this.#groups = groups;
  }

  /** Undefined where no such kind is served in that version. */
  ofKind(apiVersion: string, kind: string): StoredKind | undefined {
    this.#refresh();
    return this.#byKind.get(`${apiVersion}\n${kind}`);
  }

  /** The kind of a resource of the store, in the version that is preferred. */
  ofStored(stored: string): StoredKind | undefined {
    this.#refresh();
    return this.#byStored.get(stored);
  }

  all(): Iterable<StoredKind> {
    this.#refresh();
    return this.#byStored.values();
  }

  #refresh(): void {
    const groups = this.#groups();
    if (groups === this.#known) return;
    this.#known = groups;
    this.#byKind = new Map();
    this.#byStored = new Map();
    for (const { name: group, versions } of groups) {
      for (const { name: version, resources } of versions) {
        for (const each of resources) this.#add(storedKindOf(each, { group, version }));
      }
    }
  }

  #add(kind: StoredKind): void {
    this.#byKind.set(`${formatApiVersion(kind.resource)}\n${kind.resource.kind}`, kind);
    // The preferred version comes first, and reviews are not stored.
    const isStored = kind.handlers.delete !== undefined;
    if (isStored && !this.#byStored.has(kind.stored)) this.#byStored.set(kind.stored, kind);
  }
}

function storedKindOf(
  { kind, plural, singular, namespaced, handlers }: ServedResource,
  at: { readonly group: string; readonly version: string },
): StoredKind {
  const resource = { ...at, kind, plural, singular, namespaced };
  const stored = formatGroupResource({ group: at.group, resource: plural });
  return { resource, handlers, stored };
}
