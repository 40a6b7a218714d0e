import type { KubeObject } from "@rookery/kube";
import { clusterOf, groups, namespace, secret } from "./manifests.ts";
import { milestone, type Part } from "./part.ts";
import { nested, vsphere } from "./providers.ts";
import type { VCenter } from "./vcenter.ts";

/** Four colonies, one on each rung of the ladder. */
export const tenants = {
  identity: "adelie",
  instance: "chinstrap",
  group: "gentoo",
  nested: "emperor",
} as const;

/** Those with a cluster on vSphere, which has infrastructure and no machines. */
export const vsphereTenants: readonly string[] = [
  tenants.identity,
  tenants.instance,
  tenants.group,
];

/** What the part is called that is a tenant. */
export const tenantPart = (tenant: string): string => `tenant ${tenant}`;

/** What the API groups of one of them end with. */
const groupSuffix = `${tenants.group}.example.com`;

/** Where the instance of the vSphere provider is that all others share. */
const sharedHome = "capv-system";

export interface Surroundings {
  readonly image: string;
  readonly vcenter: VCenter;
  /** Why there is no vCenter; undefined where there is one. */
  readonly missing: Promise<string | undefined>;
  /** What is done meanwhile for it to be there. */
  readonly preparing: () => string;
  /** Where the tenant with a control plane of its own keeps its data; on a volume where undefined. */
  readonly storage: object | undefined;
}

/** The instance that all tenants share that have none of their own, and the kinds of all. */
export function sharedVSphere({ image }: Surroundings): Part {
  const instance = { namespace: sharedHome, spec: { watch: { rest: true } } };
  return { name: "vSphere provider", what: "shared by all", ...vsphere(image, instance) };
}

/** Rung 1: an account of its own, by an identity that only its namespaces may use. */
export function identityTenant(surroundings: Surroundings): Part {
  const name = tenants.identity;
  const { vcenter } = surroundings;
  const identity: KubeObject = {
    apiVersion: `${groups.infrastructure}/v1beta1`,
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
    secret({ namespace: sharedHome, name }, account(vcenter, name)),
    identity,
    ...clusterOnVSphere(name, groups.infrastructure, { ...surroundings, identityRef }),
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
    group: groups.infrastructure,
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
  /** What the provider is, in words, and what is said in its spec. */
  readonly provider: string;
  readonly spec: object;
  readonly group: string;
}

function tenantWithProvider(surroundings: Surroundings, own: OwnProvider): readonly Part[] {
  const { image, vcenter } = surroundings;
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
      ...vsphere(image, {
        namespace: home,
        spec: { ...spec, secretName },
        // The namespace that it is to watch has to be there, or nobody would have it for a moment.
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
export function nestedTenant({ image, storage }: Surroundings): readonly Part[] {
  const name = tenants.nested;
  const place = { namespace: name, name };
  const apiVersion = `${groups.controlPlane}/v1alpha4`;
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
    infrastructureRef: { apiGroup: groups.infrastructure, kind: "NestedCluster", name },
    controlPlaneRef: { apiGroup: groups.controlPlane, kind: "NestedControlPlane", name },
  });
  return [
    nested(image),
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
          apiVersion: `${groups.infrastructure}/v1alpha4`,
          kind: "NestedCluster",
          metadata: { ...place },
        },
        cluster,
      ],
      ready: [milestone(plane, "Ready"), milestone(cluster, "Available")],
    },
  ];
}

function account(vcenter: VCenter, username: string): Readonly<Record<string, string>> {
  return { username, password: vcenter.passwordOf(username) };
}

/** Its API server would be at a load balancer of the user's. */
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
