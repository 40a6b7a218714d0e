import { clusterApiGroup, providerLabel } from "@rookery/cluster-api";
import { type Component, contentHash, isWorkload, type ServedKind } from "@rookery/components";
import type { InjectOptions, SuffixPair } from "@rookery/proxy";
import { PhaseError } from "../errors.ts";

/** On a Deployment of components: the flag with which its manager renames the groups of Cluster API. */
const groupFlagAnnotation = "management.cluster.x-k8s.io/group-flag";

export interface OwnGroups {
  readonly suffix: string;
  readonly namespace: string;
  /** Whether the core has the same suffix. */
  readonly withCore: boolean;
  readonly image: string | undefined;
  readonly label: string;
  readonly served: readonly ServedKind[];
}

export interface SuffixedComponents {
  readonly components: readonly Component[];
  readonly warnings: readonly string[];
}

/** Renders API groups of its own, as `rookery proxy inject` does. Rejects with PhaseError. */
export async function withOwnGroups(
  components: readonly Component[],
  own: OwnGroups,
): Promise<SuffixedComponents> {
  const { suffix, namespace, image, label, served } = own;
  if (image === undefined)
    throw notPossible("the operator does not know its own image; set --image");
  // Loaded on demand, because most operators have no such instance.
  const proxy = await import("@rookery/proxy");
  try {
    const mapping: InjectOptions["mapping"] = proxy.createGroupMapping(pairsFor(components, own));
    const instance = instanceOf(suffix);
    const { documents, warnings } = proxy.injectProxy(components, {
      instance,
      mapping,
      namespace,
      image,
      clusterScopedKinds: served.filter(({ namespaced }) => !namespaced),
      ...ownRenaming(components, own),
    });
    const rendered = (documents as readonly Component[]).map((one) => withLabel(one, label));
    return { components: rendered, warnings };
  } catch (error) {
    if (!isInjectionError(error, proxy)) throw error;
    throw notPossible(error.message, error);
  }
}

/** The flag renames the groups of providers, but not that of the core. */
function ownRenaming(
  components: readonly Component[],
  { suffix, withCore }: OwnGroups,
): Pick<InjectOptions, "managerArguments"> {
  const flags = components
    .filter(isWorkload)
    .map(({ metadata }) => metadata.annotations?.[groupFlagAnnotation]);
  const [flag] = flags;
  const isOnAll = flag !== undefined && flags.every((one) => one === flag);
  return isOnAll && !withCore ? { managerArguments: [`--${flag}=${suffix}`] } : {};
}

/** The groups of the provider's kinds; with a core of the same suffix, all groups of Cluster API. */
function pairsFor(components: readonly Component[], { suffix, withCore }: OwnGroups): SuffixPair[] {
  const groups = new Set(components.flatMap(definedGroup));
  const single = [...groups].filter((group) => !withCore || !isClusterApiGroup(group));
  return [
    ...(withCore ? [{ virtual: clusterApiGroup, real: suffix, match: "both" } as const] : []),
    ...single.map(
      (virtual): SuffixPair => ({ virtual, real: ownGroup(virtual, suffix), match: "group" }),
    ),
  ];
}

function definedGroup({ kind, spec }: Component): string[] {
  const { group } = Object(spec) as { group?: unknown };
  return kind === "CustomResourceDefinition" && typeof group === "string" ? [group] : [];
}

export function isClusterApiGroup(group: string): boolean {
  return group === clusterApiGroup || group.endsWith(`.${clusterApiGroup}`);
}

/** "infrastructure.cluster.x-k8s.io" becomes "infrastructure.team1.example.com". */
export function ownGroup(group: string, suffix: string): string {
  if (group === clusterApiGroup) return suffix;
  const [first = ""] = group.split(".");
  const isFamily = group.endsWith(`.${clusterApiGroup}`);
  return `${isFamily ? group.slice(0, -clusterApiGroup.length - 1) : first}.${suffix}`;
}

/** The suffix of the names of cluster-scoped objects. */
function instanceOf(suffix: string): string {
  const name = suffix.replaceAll(".", "-");
  return name.length <= 40 ? name : `${name.slice(0, 31)}-${contentHash(suffix).slice(0, 8)}`;
}

function withLabel(component: Component, label: string): Component {
  const { metadata } = component;
  return {
    ...component,
    metadata: { ...metadata, labels: { ...metadata.labels, [providerLabel]: label } },
  };
}

function isInjectionError(error: unknown, proxy: typeof import("@rookery/proxy")): error is Error {
  return [
    proxy.InvalidMappingError,
    proxy.InvalidInstanceError,
    proxy.AlreadyInjectedError,
    proxy.UnsafeManifestError,
  ].some((type) => error instanceof type);
}

function notPossible(why: string, cause?: unknown): PhaseError {
  return new PhaseError("ProviderFetched", "SuffixNotPossible", {
    message: `could not render components for spec.apiGroupSuffix: ${why}`,
    cause,
  });
}
