import { controlPlaneGroup, infrastructureGroup } from "@rookery/cluster-api";
import type { KubeObject } from "@rookery/kube";
import { ownRelease } from "../own-providers.ts";
import { clusterOf, namespace, secret } from "./manifests.ts";
import { milestone, type Part } from "./part.ts";
import { declareProviders, type OwnReleases } from "./providers.ts";
import type { VCenter } from "./vcenter.ts";

export const tenants = {
  identity: "adelie",
  instance: "chinstrap",
  group: "gentoo",
  nested: "emperor",
} as const;

/** The tenants with a cluster on vSphere, which has infrastructure and no machines. */
export const vsphereTenants: readonly string[] = [
  tenants.identity,
  tenants.instance,
  tenants.group,
];

/** The name of a tenant's part. */
export const tenantPart = (tenant: string): string => `tenant ${tenant}`;

/** The suffix of the API groups of the tenant on rung 3. */
const groupSuffix = `${tenants.group}.example.com`;

/** The namespace of the shared instance of the vSphere provider. */
const sharedHome = ownRelease("vsphere").providers[0].namespace;

export interface Surroundings {
  readonly releases: OwnReleases;
  readonly vcenter: VCenter;
  /** Why there is no vCenter; undefined where there is one. */
  readonly missing: Promise<string | undefined>;
  /** The current step of its preparation. */
  readonly preparing: () => string;
  /** The storage of the tenant with a control plane of its own; a volume where undefined. */
  readonly storage: object | undefined;
}

/** The instance for all tenants without one of their own, with the kinds of all instances. */
export function sharedVSphere({ releases }: Surroundings): Part {
  const instance = { namespace: sharedHome, spec: { watch: { rest: true } } };
  const declared = declareProviders(releases, "vsphere", instance);
  return { name: "vSphere provider", what: "shared by all", ...declared };
}

/** Rung 1: an account of its own, by an identity that only its namespaces may use. */
export function identityTenant(surroundings: Surroundings): Part {
  const name = tenants.identity;
  const { vcenter } = surroundings;
  const identity: KubeObject = {
    apiVersion: `${infrastructureGroup}/v1beta1`,
    kind: "VSphereClusterIdentity",
    metadata: { name },
    spec: {
      secretName: name,
      allowedNamespaces: { list: [name] },
      allowedServers: [vcenter.server],
    },
  };
  const identityRef = { kind: "VSphereClusterIdentity", name };
  const objects = [
    namespace(name, name),
    namespace(sharedHome),
    secret({ namespace: sharedHome, name }, { username: name, password: vcenter.passwordOf(name) }),
    identity,
    ...clusterOnVSphere(name, infrastructureGroup, { ...surroundings, identityRef }),
  ];
  return {
    name: tenantPart(name),
    what: "a shared instance, an identity of its own",
    objects,
    ready: [milestone(identity, "Ready"), ...provisioned(objects)],
    missing: surroundings.missing,
    preparing: surroundings.preparing,
  };
}

/** Rung 2: an instance of the provider that has rights in the tenant's namespaces alone. */
export function instanceTenant(surroundings: Surroundings): readonly Part[] {
  const name = tenants.instance;
  const watch = { namespaces: [name], rbac: "Namespaced" };
  // Data of an earlier version names the namespace that all instances shared.
  const args = { "credentials-namespace": `${name}-capv-system` };
  const deployment = { containers: [{ name: "manager", args }] };
  return tenantWithProvider(surroundings, {
    name,
    group: infrastructureGroup,
    spec: { watch, deployment },
    what: "an instance of its own",
    provider: `for ${name} alone`,
  });
}

/** Rung 3: the provider once more, under API groups of its own. */
export function groupTenant(surroundings: Surroundings): readonly Part[] {
  const name = tenants.group;
  const group = `infrastructure.${groupSuffix}`;
  return tenantWithProvider(surroundings, {
    name,
    group,
    spec: { apiGroupSuffix: groupSuffix },
    what: "an API group of its own",
    provider: `as ${group}`,
  });
}

interface OwnProvider {
  readonly name: string;
  readonly what: string;
  /** A description of the provider. */
  readonly provider: string;
  /** Fields of its spec. */
  readonly spec: object;
  readonly group: string;
}

function tenantWithProvider(surroundings: Surroundings, own: OwnProvider): readonly Part[] {
  const { releases, vcenter } = surroundings;
  const { name, group, spec } = own;
  const home = `${name}-capv-system`;
  const variables = {
    VSPHERE_USERNAME: name,
    VSPHERE_PASSWORD: vcenter.passwordOf(name),
    VSPHERE_SERVER: vcenter.server,
  };
  const secretName = "capv-variables";
  const objects = [namespace(name, name), ...clusterOnVSphere(name, group, surroundings)];
  return [
    {
      name: "vSphere provider",
      what: own.provider,
      ...declareProviders(releases, "vsphere", {
        namespace: home,
        spec: { ...spec, secretName },
        // Without the namespace that it watches, no instance would watch it for a moment.
        before: [namespace(name, name), secret({ namespace: home, name: secretName }, variables)],
      }),
    },
    {
      name: tenantPart(name),
      what: own.what,
      objects,
      ready: provisioned(objects),
      missing: surroundings.missing,
      preparing: surroundings.preparing,
    },
  ];
}

/** Rung 4: a control plane of its own, which is one small pod. */
export function nestedTenant({ releases, storage }: Surroundings): readonly Part[] {
  const name = tenants.nested;
  const place = { namespace: name, name };
  const apiVersion = `${controlPlaneGroup}/v1alpha4`;
  const component = (kind: string, spec: object = {}): KubeObject => ({
    apiVersion,
    kind,
    metadata: { ...place },
    spec,
  });
  const reference = (kind: string) => ({ apiVersion, kind, name });
  const plane = component("NestedControlPlane", {
    etcd: reference("NestedEtcd"),
    apiserver: reference("NestedAPIServer"),
    controllerManager: reference("NestedControllerManager"),
  });
  const cluster = clusterOf(place, {
    infrastructureRef: { apiGroup: infrastructureGroup, kind: "NestedCluster", name },
    controlPlaneRef: { apiGroup: controlPlaneGroup, kind: "NestedControlPlane", name },
  });
  return [
    {
      name: "nested provider",
      what: "control planes as pods",
      ...declareProviders(releases, "nested"),
    },
    {
      name: tenantPart(name),
      what: "a control plane of its own",
      objects: [
        namespace(name, name),
        component("NestedEtcd"),
        component("NestedControllerManager"),
        component("NestedAPIServer", { profile: "light", ...(storage && { storage }) }),
        plane,
        {
          apiVersion: `${infrastructureGroup}/v1alpha4`,
          kind: "NestedCluster",
          metadata: { ...place },
        },
        cluster,
      ],
      ready: [milestone(plane, "Ready"), milestone(cluster, "Available")],
    },
  ];
}

/** A cluster whose API server would be behind a load balancer of the user. */
function clusterOnVSphere(
  name: string,
  group: string,
  { vcenter, identityRef }: Surroundings & { readonly identityRef?: object },
): readonly KubeObject[] {
  const place = { namespace: name, name };
  const { server, thumbprint } = vcenter;
  const controlPlaneEndpoint = { host: `${name}.example.com`, port: 6443 };
  return [
    {
      apiVersion: `${group}/v1beta1`,
      kind: "VSphereCluster",
      metadata: { ...place },
      spec: { server, thumbprint, controlPlaneEndpoint, ...(identityRef && { identityRef }) },
    },
    clusterOf(place, { infrastructureRef: { apiGroup: group, kind: "VSphereCluster", name } }),
  ];
}

/** Without machines, its infrastructure is all that a cluster can have. */
function provisioned(objects: readonly KubeObject[]): Part["ready"] {
  return objects
    .filter(({ kind }) => kind === "Cluster")
    .map((cluster) => milestone(cluster, "InfrastructureReady"));
}
