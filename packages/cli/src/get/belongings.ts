import { isNamespaceAllowed, type Provider } from "@rookery/api";
import { getCondition, type KubeObject } from "@rookery/kube";
import { groupsOf } from "./clusters.ts";
import { allowedNamespaces, type Identity, readinessOf } from "./identities.ts";
import { readyOf } from "./providers.ts";
import { type Belonging, type Rung, rungs, type Surroundings } from "./tenant.ts";

export interface Holdings {
  /** The tenant's own namespaces. */
  readonly own: ReadonlySet<string>;
  /** The namespaces of other tenants. */
  readonly others: ReadonlySet<string>;
}

/** The objects that serve one tenant only, the highest rung first. */
export function belongingsOf(around: Surroundings, holdings: Holdings): readonly Belonging[] {
  const found = [
    ...nestedOf(around, holdings),
    ...around.providers.flatMap((provider) => providerOf(provider, around, holdings)),
    ...around.identities.flatMap((identity) => identityOf(identity, around, holdings)),
    ...secretsOf(around, holdings),
  ];
  return found.toSorted((a, b) => rungs.indexOf(b.rung) - rungs.indexOf(a.rung));
}

function nestedOf(
  { controlPlanes, nestedClusters }: Surroundings,
  { own }: Holdings,
): readonly Belonging[] {
  const isOwn = ({ metadata }: KubeObject) => own.has(metadata.namespace ?? "");
  const planes = controlPlanes.filter(isOwn).map((plane) => {
    const ready = getCondition(plane.status?.conditions, "Ready");
    const isReady = ready ? ready.status === "True" : plane.status?.ready === true;
    return belonging(
      plane,
      "own control plane",
      isReady ? undefined : (ready?.reason ?? "NotReady"),
    );
  });
  if (planes.length > 0) return planes;
  return nestedClusters
    .filter(isOwn)
    .map((one) => belonging(one, "own control plane", "it has no NestedControlPlane yet"));
}

/** A provider that watches only the tenant's namespaces, or whose API groups only the tenant uses. */
function providerOf(
  provider: Provider,
  around: Surroundings,
  holdings: Holdings,
): readonly Belonging[] {
  const { watch, apiGroupSuffix: suffix } = provider.spec;
  const named = watch?.namespaces ?? [];
  const isNamed = isOfOne(named, holdings);
  const ready = readyOf(provider);
  const problem = ready?.status === "True" ? undefined : (ready?.reason ?? "NotReady");
  if (suffix !== undefined) {
    const users = namespacesUsing(suffix, around);
    const isOwn = isNamed || isOfOne([provider.metadata.namespace ?? "", ...users], holdings);
    return isOwn ? [belonging(provider, "own API group", problem)] : [];
  }
  return isNamed ? [belonging(provider, "own instance", problem)] : [];
}

/** The namespaces of clusters that use API groups with a suffix. */
function namespacesUsing(suffix: string, { clusters }: Surroundings): readonly string[] {
  return clusters
    .filter((cluster) =>
      groupsOf(cluster).some((group) => group === suffix || group.endsWith(`.${suffix}`)),
    )
    .map(({ metadata }) => metadata.namespace ?? "");
}

function identityOf(
  identity: Identity,
  { namespaces }: Surroundings,
  holdings: Holdings,
): readonly Belonging[] {
  // An identity for all namespaces is no tenant's own, even with only one tenant.
  if (allowedNamespaces(identity) === "all") return [];
  const allowed = namespaces
    .filter(({ metadata }) => isNamespaceAllowed(identity.spec?.allowedNamespaces, metadata))
    .map(({ metadata }) => metadata.name ?? "");
  if (!isOfOne(allowed, holdings)) return [];
  const isReady = readinessOf(identity) !== "False";
  const { reason = "NotReady" } = getCondition(identity.status?.conditions, "Ready") ?? {};
  return [belonging(identity, "own identity", isReady ? undefined : reason)];
}

/** The Secrets of a tenant with accounts of its clusters. */
function secretsOf({ vsphereClusters }: Surroundings, { own }: Holdings): readonly Belonging[] {
  const names = vsphereClusters.flatMap(({ metadata, spec }) => {
    const { kind, name } = spec?.identityRef ?? {};
    const { namespace = "" } = metadata;
    return kind === "Secret" && name && own.has(namespace) ? [`${namespace}/${name}`] : [];
  });
  return [...new Set(names)].map((place) => {
    const [namespace = "", name = ""] = place.split("/");
    return { kind: "Secret", namespace, name, rung: "own identity" };
  });
}

function isOfOne(names: readonly string[], { own, others }: Holdings): boolean {
  return names.some((name) => own.has(name)) && !names.some((name) => others.has(name));
}

function belonging(
  { kind, metadata }: { readonly kind: string; readonly metadata: KubeObject["metadata"] },
  rung: Rung,
  problem: string | undefined,
): Belonging {
  const { namespace, name = "" } = metadata;
  return { kind, ...(namespace && { namespace }), name, rung, ...(problem && { problem }) };
}
