import { type Client, getOptional, ignoreAlreadyExists, ignoreNotFound } from "@rookery/client";
import { isLoopback } from "@rookery/http";
import { builtInResources, formatObjectKey, type KubeObject, objectKeyOf } from "@rookery/kube";
import { reconcilePolicy } from "../rbac/policy-reconciliation.ts";
import { isConcurrentWrite } from "./concurrent-write.ts";
import { type DirectWriteOptions, writeDefaultPolicy } from "./default-policy.ts";

export interface BootstrapOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** The address and port of the API server inside of the cluster. */
  readonly advertised: { readonly ip: string; readonly port: number };
  /** The first address of the Service range. */
  readonly serviceIp: string;
  /** Whether pods are local processes, so that endpoints may be loopback addresses. */
  readonly hasLocalPods?: boolean;
  /** The storage class of claims that name none. */
  readonly storageClass?: KubeObject | undefined;
  /** Writes the default roles of a new cluster without a request for each. */
  readonly directWrites?: DirectWriteOptions | undefined;
}

const systemNamespaces = ["kube-system", "kube-public", "kube-node-lease", "default"];
const attempts = 5;

/**
 * Creates the system namespaces, the default roles and priority classes, and the Service of the API
 * server. Repairs them on later starts.
 */
export async function bootstrapCluster(options: BootstrapOptions): Promise<void> {
  const { client, signal } = options;
  const directWrites = isNew(options) ? options.directWrites : undefined;
  const resource = builtInResources.namespaces;
  const namespaceOf = (name: string) => ({ ...typeOf(resource), metadata: { name } });
  await Promise.all(
    systemNamespaces.map((name) => ensure(client, namespaceOf(name), { resource, signal })),
  );
  const { default: policy } = await import("../generated/bootstrap-policy.json", {
    with: { type: "json" },
  });
  await Promise.all([
    reconcileAll(policy as unknown as KubeObject[], { client, signal, directWrites }),
    ensureOwnService(options),
    ensureStorageClass(options),
  ]);
}

/** Whether no earlier start has begun: an interrupted one no longer counts as new. */
function isNew({ directWrites }: BootstrapOptions): boolean {
  return directWrites?.store.list(builtInResources.namespaces.plural).entries.length === 0;
}

/** A storage class that a user has changed stays unchanged. */
async function ensureStorageClass({
  client,
  signal,
  storageClass,
}: BootstrapOptions): Promise<void> {
  const resource = builtInResources.storageClasses;
  if (storageClass) await ensure(client, storageClass, { resource, signal });
}

type Target = (typeof builtInResources)[keyof typeof builtInResources];

function typeOf({ group, version, kind }: Target) {
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind };
}

/** Creates a missing object; leaves an existing one unchanged. */
async function ensure(
  client: Client,
  object: KubeObject,
  { resource, signal }: { readonly resource: Target; readonly signal: AbortSignal },
): Promise<void> {
  const objects = client.resource(resource);
  if (await getOptional(objects, objectKeyOf(object), { signal })) return;
  await ignoreAlreadyExists(objects.create(object, { signal }));
}

/** Lists each kind first: single reads would be half of the work of a new cluster. */
async function reconcileAll(
  policy: readonly KubeObject[],
  { client, signal, directWrites }: Pick<BootstrapOptions, "client" | "signal" | "directWrites">,
): Promise<void> {
  const byKind = Map.groupBy(policy, resourceOf);
  const work = Array.from(byKind, async ([resource, all]) => {
    const isWrittenDirectly = directWrites && resource !== builtInResources.priorityClasses;
    const expected = isWrittenDirectly
      ? await writeDefaultPolicy(all, resource, directWrites)
      : all;
    if (expected.length === 0) return;
    const known = await listByName(client, resource, signal);
    await Promise.all(expected.map((one) => reconcile(client, one, { resource, known, signal })));
  });
  await Promise.all(work);
}

type KnownObjects = ReadonlyMap<string, KubeObject>;

interface ReconcileOptions {
  readonly resource: Target;
  readonly known: KnownObjects;
  readonly signal: AbortSignal;
}

function resourceOf({ kind }: KubeObject): Target {
  const resource = Object.values(builtInResources).find((one) => one.kind === kind);
  if (resource === undefined) throw new TypeError(`no resource has the kind ${kind}`);
  return resource;
}

async function listByName(
  client: Client,
  resource: Target,
  signal: AbortSignal,
): Promise<KnownObjects> {
  const { items } = await client.resource(resource).list({ signal });
  const type = typeOf(resource);
  return new Map(items.map((one) => [keyOf(one), { ...one, ...type }]));
}

function keyOf(object: KubeObject): string {
  return formatObjectKey(objectKeyOf(object));
}

async function reconcile(
  client: Client,
  expected: KubeObject,
  { resource, known, signal }: ReconcileOptions,
): Promise<void> {
  let existing = known.get(keyOf(expected));
  for (let attempt = 1; ; attempt++) {
    try {
      await reconcileOnce(client, { resource, existing, expected, signal });
      return;
    } catch (error) {
      // A concurrent write: read again.
      if (!isConcurrentWrite(error) || attempt === attempts) throw error;
      existing = await getOptional(client.resource(resource), objectKeyOf(expected), { signal });
    }
  }
}

interface ReconcileAttempt extends Pick<ReconcileOptions, "resource" | "signal"> {
  readonly existing: KubeObject | undefined;
  readonly expected: KubeObject;
}

async function reconcileOnce(client: Client, work: ReconcileAttempt): Promise<void> {
  const { resource, existing, expected, signal } = work;
  // Existing priority classes stay unchanged.
  if (existing && resource === builtInResources.priorityClasses) return;
  const objects = client.resource(resource);
  const result = reconcilePolicy(existing, expected);
  if (result.operation === "none") return;
  if (result.operation === "update") {
    await objects.update(result.object, { signal });
    return;
  }
  if (result.operation === "recreate") {
    const uid = existing?.metadata.uid ?? "";
    const options = { signal, preconditions: { uid } };
    await ignoreNotFound(objects.delete(objectKeyOf(expected), options));
  }
  await objects.create(result.object, { signal });
}

async function ensureOwnService(options: BootstrapOptions): Promise<void> {
  const { client, signal, serviceIp } = options;
  const { ip, port } = options.advertised;
  const metadata = { name: "kubernetes", namespace: "default" };
  const service = {
    ...typeOf(builtInResources.services),
    metadata: { ...metadata, labels: { component: "apiserver", provider: "kubernetes" } },
    spec: {
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: port }],
      clusterIP: serviceIp,
      sessionAffinity: "None",
      type: "ClusterIP",
    },
  };
  await ensure(client, service, { resource: builtInResources.services, signal });
  // Endpoints can't have loopback addresses, and other machines could not use them.
  if (isLoopback(ip) && !options.hasLocalPods) return;
  const slice = {
    ...typeOf(builtInResources.endpointSlices),
    metadata: { ...metadata, labels: { "kubernetes.io/service-name": "kubernetes" } },
    addressType: ip.includes(":") ? "IPv6" : "IPv4",
    endpoints: [{ addresses: [ip], conditions: { ready: true } }],
    ports: [{ name: "https", port, protocol: "TCP" }],
  };
  const slices = client.resource(builtInResources.endpointSlices);
  await ensure(client, slice, { resource: builtInResources.endpointSlices, signal });
  const { endpoints, ports } = slice;
  await slices.patch(metadata, { type: "merge", patch: { endpoints, ports } }, { signal });
}
