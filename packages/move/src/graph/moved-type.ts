import {
  addonsGroup,
  clusterApiGroup,
  clusterctlLabel,
  moveHierarchyLabel,
  moveLabel,
} from "@rookery/cluster-api";
import { builtInResources, type KubeObject, type Resource } from "@rookery/kube";

/** A kind whose objects may be moved, in its storage version. */
export interface MovedType {
  readonly resource: Resource;
  /** All its objects are moved. */
  readonly forceMove: boolean;
  /** All its objects are moved with their dependents. */
  readonly forceMoveHierarchy: boolean;
}

export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string; readonly singular?: string };
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
  };
}

/** Kinds that are moved with their dependents in any case. */
const roots: ReadonlySet<string> = new Set([
  `Cluster.${clusterApiGroup}`,
  `ClusterClass.${clusterApiGroup}`,
  `ClusterResourceSet.${addonsGroup}`,
]);

/** The kinds of providers, and built-in ones that may belong to a cluster. */
export function movedTypesOf(crds: readonly CustomResourceDefinition[]): readonly MovedType[] {
  return [...crds.filter(isOfProvider).flatMap(movedTypeOf), ...builtInTypes];
}

const builtInTypes: readonly MovedType[] = [
  builtInResources.secrets,
  builtInResources.configMaps,
].map((resource) => ({ resource, forceMove: false, forceMoveHierarchy: false }));

function isOfProvider({ metadata }: CustomResourceDefinition): boolean {
  return metadata.labels?.[clusterctlLabel] !== undefined;
}

function movedTypeOf({ metadata, spec }: CustomResourceDefinition): readonly MovedType[] {
  const version = spec.versions.find(({ storage }) => storage)?.name;
  if (version === undefined) return [];
  const { group, names, scope } = spec;
  const { kind, plural, singular = kind.toLowerCase() } = names;
  const labels = metadata.labels ?? {};
  const forceMoveHierarchy =
    roots.has(`${kind}.${group}`) || labels[moveHierarchyLabel] !== undefined;
  const forceMove = forceMoveHierarchy || labels[moveLabel] !== undefined;
  const namespaced = scope === "Namespaced";
  return [
    {
      resource: { group, version, kind, plural, singular, namespaced },
      forceMove,
      forceMoveHierarchy,
    },
  ];
}
