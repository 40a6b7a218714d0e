import { clusterNameLabel } from "@rookery/cluster-api";
import { formatGroupKind, type KubeObject, parseApiVersion } from "@rookery/kube";

/** A reference of Cluster API: with a version until v1beta1, with the group alone since v1beta2. */
interface Reference {
  readonly apiVersion?: string;
  readonly apiGroup?: string;
  readonly kind?: string;
}

interface Referring {
  readonly infrastructureRef?: Reference;
  readonly controlPlaneRef?: Reference;
  readonly bootstrap?: { readonly configRef?: Reference };
  readonly poolRef?: Reference;
}

type ReferringSpec = Referring & {
  readonly clusterName?: string;
  readonly template?: { readonly spec?: Referring };
};

/** The kinds that an object of Cluster API refers to, as "Kind.group". */
export function referredKinds({ spec }: KubeObject): readonly string[] {
  const { template, ...own } = Object(spec) as ReferringSpec;
  return [own, Object(template?.spec) as Referring].flatMap((referring) =>
    [
      referring.infrastructureRef,
      referring.controlPlaneRef,
      referring.bootstrap?.configRef,
      referring.poolRef,
    ].flatMap(kindOf),
  );
}

/** The workload cluster that an object belongs to, or the object itself. */
export function clusterOf({ kind, metadata, spec }: KubeObject): string {
  const { namespace, name, labels } = metadata;
  const { clusterName = labels?.[clusterNameLabel] } = Object(spec) as ReferringSpec;
  if (kind === "Cluster") return `Cluster ${namespace}/${name}`;
  return clusterName ? `Cluster ${namespace}/${clusterName}` : `${kind} ${namespace}/${name}`;
}

function kindOf(reference: Reference | undefined): readonly string[] {
  const { apiVersion, apiGroup, kind } = reference ?? {};
  if (!kind) return [];
  const group = apiGroup ?? parseApiVersion(apiVersion ?? "v1").group;
  return [formatGroupKind({ group, kind })];
}
