import type { Client } from "@rookery/client";
import { type ClusterctlRecord, clusterctlLabel, clusterctlProviders } from "@rookery/cluster-api";
import { builtInResources, formatGroupKind, type KubeObject, parseApiVersion } from "@rookery/kube";
import { MoveError } from "../errors.ts";
import { classOf, templatesOf } from "../graph/cluster-class.ts";
import { classKind, clusterKind } from "../graph/moved-node.ts";
import {
  type CustomResourceDefinition,
  type MovedType,
  movedTypesOf,
} from "../graph/moved-type.ts";
import { listObjects } from "./read-existing.ts";

interface SourceObjects {
  readonly objects: readonly KubeObject[];
  /** Classes of the namespace, as "namespace/name", with clusters in other namespaces. */
  readonly usedElsewhere: ReadonlySet<string>;
}

/** Reads by lists; only classes of other namespaces, with their templates, are read one by one. */
export async function readSource(
  client: Client,
  namespace: string,
  types: readonly MovedType[],
): Promise<SourceObjects> {
  const lists = await Promise.all([
    ...types.map(({ resource }) => listObjects(client, resource, namespace)),
    readProviderSecrets(client, namespace),
  ]);
  const found = lists.flat();
  const [classes, usedElsewhere] = await Promise.all([
    readForeignClasses(client, found, { types, namespace }),
    readUsers(client, found, { types, namespace }),
  ]);
  return { objects: [...found, ...classes], usedElsewhere };
}

/** The moved kinds. Throws MoveError if there is no Cluster API. */
export async function readMovedTypes(client: Client): Promise<readonly MovedType[]> {
  const crds = client.resource<CustomResourceDefinition>(
    builtInResources.customResourceDefinitions,
  );
  const { items } = await crds.list({ labelSelector: clusterctlLabel });
  const types = movedTypesOf(items);
  if (!types.some((type) => isOf(type, clusterKind))) {
    throw new MoveError(
      "NotReady",
      "could not find Cluster API: no CRD of Clusters has the label clusterctl.cluster.x-k8s.io; install the core provider",
    );
  }
  return types;
}

/** Secrets in the namespaces of infrastructure providers, which identities may own. */
async function readProviderSecrets(
  client: Client,
  namespace: string,
): Promise<readonly KubeObject[]> {
  const providers = await listObjects<ClusterctlRecord>(client, clusterctlProviders);
  const namespaces = providers
    .filter(({ type }) => type === "InfrastructureProvider")
    .map(({ metadata }) => metadata.namespace ?? "")
    .filter((name) => name !== "" && name !== namespace);
  const lists = [...new Set(namespaces)].map((name) =>
    listObjects(client, builtInResources.secrets, name),
  );
  return (await Promise.all(lists)).flat();
}

interface Place {
  readonly types: readonly MovedType[];
  readonly namespace: string;
}

async function readForeignClasses(
  client: Client,
  objects: readonly KubeObject[],
  { types, namespace }: Place,
): Promise<readonly KubeObject[]> {
  const type = types.find((one) => isOf(one, classKind));
  if (!type) return [];
  const wanted = objects.filter((object) => isObjectOf(object, clusterKind)).map(classOf);
  const foreign = wanted.filter((one) => one !== undefined && one.namespace !== namespace);
  const names = new Map(foreign.map((key) => [`${key?.namespace}/${key?.name}`, key]));
  const read = async (key: { readonly namespace: string; readonly name: string }) => {
    const found = await client.resource(type.resource).get(key);
    const templates = templatesOf(found).map(async (reference) => {
      const kind = formatGroupKind({
        ...parseApiVersion(reference.apiVersion),
        kind: reference.kind,
      });
      const known = types.find((one) => isOf(one, kind));
      const resource = known ? client.resource(known.resource) : await client.kind(reference);
      return resource.get({ namespace: key.namespace, name: reference.name });
    });
    return [found, ...(await Promise.all(templates))];
  };
  const found = [...names.values()].map((key) => (key ? read(key) : []));
  return (await Promise.all(found)).flat();
}

async function readUsers(
  client: Client,
  objects: readonly KubeObject[],
  { types, namespace }: Place,
): Promise<ReadonlySet<string>> {
  const type = types.find((one) => isOf(one, clusterKind));
  if (!type || !objects.some((object) => isObjectOf(object, classKind))) return new Set();
  const clusters = await listObjects(client, type.resource);
  const foreign = clusters.filter(({ metadata }) => metadata.namespace !== namespace);
  const used = foreign.map(classOf).filter((one) => one?.namespace === namespace);
  return new Set(used.map((one) => `${one?.namespace}/${one?.name}`));
}

function isOf({ resource }: MovedType, groupKind: string): boolean {
  return formatGroupKind(resource) === groupKind;
}

function isObjectOf({ apiVersion, kind }: KubeObject, groupKind: string): boolean {
  return formatGroupKind({ ...parseApiVersion(apiVersion), kind }) === groupKind;
}
