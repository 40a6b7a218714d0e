import { type Client, getOptional } from "@rookery/client";
import { controlPlaneGroup, providerLabel } from "@rookery/cluster-api";
import { builtInResources, type KubeObject, type ObjectKey } from "@rookery/kube";
import { renderOperator } from "@rookery/operator";
import { ignoreNotServed, listServed } from "../objects.ts";
import { ownRelease } from "../own-providers.ts";
import { untilDone } from "./bring-up.ts";
import { managementGroup } from "./manifests.ts";
import { milestone, type Part } from "./part.ts";
import { declareProviders, loadReleases, type OwnReleases } from "./providers.ts";
import type { Simulator } from "./simulator.ts";
import {
  groupTenant,
  identityTenant,
  instanceTenant,
  nestedTenant,
  type Surroundings,
  sharedVSphere,
  tenants,
  vsphereTenants,
} from "./tenants.ts";
import { reserveVCenter, vcenterPart } from "./vcenter.ts";

export interface PlaneOptions {
  readonly client: Client;
  /** The image of Rookery, of which all its pods are. */
  readonly image: string;
  readonly simulator: Simulator;
  /** Declares the core of a cluster without one; Rookery's own where absent. */
  readonly newCore?: (() => Promise<Part>) | undefined;
  /** Ends the attempts to read and reserve objects; the promise is then rejected. */
  readonly signal: AbortSignal;
  /** Is called with the reason of each attempt that fails. */
  readonly onFailure: (why: string) => void;
}

/** All parts of the plane, with a tenant on each rung of the ladder. */
export async function planeParts(options: PlaneOptions): Promise<readonly Part[]> {
  const { client, image, simulator } = options;
  const vcenter = await untilDone(() => reserveVCenter(client, vsphereTenants), options);
  const { program, doing } = simulator;
  const missing = program.then((found) => found.missing && `no vCenter: ${found.missing}`);
  const key = { namespace: tenants.nested, name: tenants.nested };
  const storage = await untilDone(() => lightStorage(client, key), options);
  const releases = await loadReleases(image);
  const surroundings: Surroundings = {
    releases,
    vcenter,
    missing,
    storage,
    preparing: () => `the vCenter is being made: ${doing()}`,
  };
  return [
    await operator(image),
    ...(await coreParts(releases, options)),
    sharedVSphere(surroundings),
    vcenterPart(image, simulator),
    identityTenant(surroundings),
    ...instanceTenant(surroundings),
    ...groupTenant(surroundings),
    ...nestedTenant(surroundings),
  ];
}

/** The operator, with one pod: a second one on the same machine would not help. */
async function operator(image: string): Promise<Part> {
  const objects = (await renderOperator({ image, replicas: 1 })) as readonly KubeObject[];
  return {
    name: "operator",
    what: "installs providers that are declared as objects",
    objects,
    ready: objects
      .filter(({ kind }) => kind === "Deployment")
      .map((deployment) => milestone(deployment, "Available")),
  };
}

/** Another core that is installed stays as it is; Rookery's own is applied again, as all other parts are. */
async function coreParts(releases: OwnReleases, options: PlaneOptions): Promise<readonly Part[]> {
  const { is, declared } = await untilDone(() => findCore(options.client), options);
  if (is === "none" && options.newCore) return [await options.newCore()];
  if (is !== "other") {
    const what = "Cluster, Machine and ClusterResourceSet";
    return [{ name: "core", what, ...declareProviders(releases, "core") }];
  }
  return declared.map((one) => ({
    name: "core",
    what: `${one.metadata.name}, which was there before`,
    objects: [],
    ready: [milestone(one, "Ready")],
  }));
}

/** The core of Cluster API in a cluster, which must have only one. */
interface FoundCore {
  /** Rookery's own, another one, or none. */
  readonly is: "own" | "other" | "none";
  /** The provider objects; none for a core that was not installed by the operator. */
  readonly declared: readonly KubeObject[];
}

type CoreProvider = KubeObject<{ readonly apiGroupSuffix?: string }>;

async function findCore(client: Client): Promise<FoundCore> {
  const definitions = client.resource<KubeObject>(builtInResources.customResourceDefinitions);
  const definition = await getOptional(definitions, { name: "clusters.cluster.x-k8s.io" });
  const kind = { group: managementGroup, kind: "CoreProvider" };
  const cores = await listServed<CoreProvider>(client, kind);
  const declared = cores.filter(({ spec }) => !spec?.apiGroupSuffix);
  const installed = definition ? [definition.metadata.labels?.[providerLabel]] : [];
  const names = [...installed, ...declared.map(({ metadata }) => metadata.name)];
  if (names.length === 0) return { is: "none", declared };
  const [own] = ownRelease("core").providers;
  return { is: names.every((name) => name === own.name) ? "own" : "other", declared };
}

type ApiServer = KubeObject<{ readonly storage?: object }>;

const defaultClass = "storageclass.kubernetes.io/is-default-class";

/**
 * The storage of the light tenant: unchanged if it exists, else a volume (undefined) if the cluster has
 * a default StorageClass, else its pod.
 */
async function lightStorage(client: Client, key: ObjectKey): Promise<object | undefined> {
  const kind = { group: controlPlaneGroup, kind: "NestedAPIServer" };
  const get = async () => (await client.kind<ApiServer>(kind)).get(key);
  const existing = await ignoreNotServed(get());
  if (existing) return existing.spec?.storage;
  const { items } = await client.resource<KubeObject>(builtInResources.storageClasses).list();
  const hasDefault = items.some(({ metadata }) => metadata.annotations?.[defaultClass] === "true");
  return hasDefault ? undefined : { type: "EmptyDir" };
}
