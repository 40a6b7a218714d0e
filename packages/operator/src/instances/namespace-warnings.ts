import { type ComponentKey, contentHash } from "@rookery/components";
import { findStatusError, namespacesExcludedSelector } from "@rookery/kube";
import { type MonotonicClock, metadataOnlyClient } from "@rookery/runtime";
import { describeSet, isEmpty, type NamespaceSet, only } from "../identity/namespace-set.ts";
import { claimedNamespaces, unclaimedInUse } from "./claimed-namespaces.ts";
import { describeInstance, type Family } from "./family.ts";
import type { InstanceWarning } from "./instance-warning.ts";
import { referenceWarnings } from "./leaving-references.ts";
import { type ServedKindDependencies, servedKind } from "./served-kind.ts";

/** How often objects are looked at: they are not watched. */
const againSeconds = 60;
/** How many namespaces a request leaves out. */
const mostTerms = 300;

/** Remembers, for a while, what was found: events come often, and objects may be many. */
export class NamespaceWarnings {
  readonly #clock: Pick<MonotonicClock, "now">;
  readonly #known = new Map<string, { key: string; until: number; found: InstanceWarning[] }>();

  constructor(clock: Pick<MonotonicClock, "now">) {
    this.#clock = clock;
  }

  /** What is to be said by one instance of a family, with the CRDs that it has. */
  async of(
    family: Family,
    crds: readonly ComponentKey[],
    dependencies: ServedKindDependencies,
  ): Promise<readonly InstanceWarning[]> {
    const members = [family.self, ...family.others];
    const { uid = "" } = family.self.view.provider.metadata;
    const key = contentHash([members.map(({ claim }) => claim), crds.map(({ name }) => name)]);
    const known = this.#known.get(uid);
    if (known?.key === key && known.until > this.#clock.now()) return known.found;
    const found = await this.#look(family, crds, dependencies);
    this.#known.set(uid, { key, found, until: this.#clock.now() + againSeconds * 1000 });
    return found;
  }

  /** Where objects can't be listed now, such as while a conversion webhook starts, nothing is said. */
  async #look(...[family, crds, dependencies]: Parameters<NamespaceWarnings["of"]>) {
    try {
      return [
        ...(await gaps(family, crds, dependencies)),
        ...(await referenceWarnings(family, dependencies)),
      ];
    } catch (error) {
      if (findStatusError(error) === undefined) throw error;
      return [];
    }
  }

  readonly againSeconds = againSeconds;
}

async function gaps(
  family: Family,
  crds: readonly ComponentKey[],
  dependencies: ServedKindDependencies,
): Promise<InstanceWarning[]> {
  const { unclaimed } = claimedNamespaces(family);
  if (isEmpty(unclaimed)) return [];
  const inUse: string[] = [];
  for (const { name } of crds) {
    inUse.push(...(await namespacesWith(name, unclaimed, dependencies)));
  }
  const found = unclaimedInUse(unclaimed, inUse);
  if (found.length === 0) return [];
  const members = [family.self, ...family.others].map(describeInstance).join(", ");
  const message =
    `nobody watches ${describeSet(only(found))}, where there are objects of the provider: none of ` +
    `${members} claims it; name it in spec.watch.namespaces of one, or make an instance with spec.watch.rest`;
  return [{ reason: "NamespaceGap", message }];
}

/** Those of some namespaces that objects of a kind are in. */
async function namespacesWith(
  name: string,
  { isComplement, names }: NamespaceSet,
  dependencies: ServedKindDependencies,
): Promise<readonly string[]> {
  const resource = await servedKind(name, dependencies);
  if (!resource?.namespaced) return [];
  const { client, signal } = dependencies;
  const isSelected = isComplement && names.length > 0 && names.length <= mostTerms;
  const found = new Set<string>();
  await metadataOnlyClient(client.handler, resource).listPages(
    { ...(isSelected && { fieldSelector: namespacesExcludedSelector(names) }), signal },
    ({ list }) => {
      for (const { metadata } of list.items) found.add(metadata.namespace ?? "");
    },
  );
  return [...found];
}
