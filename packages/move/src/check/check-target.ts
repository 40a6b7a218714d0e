import { type Client, getOptional } from "@rookery/client";
import { type ClusterctlRecord, clusterctlProviders } from "@rookery/cluster-api";
import { compareVersions, tryParseVersion } from "@rookery/components";
import {
  builtInResources,
  formatApiVersion,
  formatGroupKind,
  type KubeObject,
  type Resource,
} from "@rookery/kube";
import { namespacesOf, type PlannedObject } from "../graph/move-plan.ts";
import { nameOf } from "../names.ts";
import { listObjects } from "../read/read-existing.ts";

/** All reasons why the target cannot take the objects. */
export async function targetProblems(
  target: Client,
  objects: readonly PlannedObject[],
): Promise<readonly string[]> {
  const { resources } = await target.discovery.discover();
  const served = new Set(resources.map(kindOf));
  const groupKinds = new Map(resources.map((one) => [formatGroupKind(one), one]));
  const wanted = new Map(objects.map(({ resource }) => [kindOf(resource), resource]));
  const missing = [...wanted].filter(([kind]) => !served.has(kind));
  const ending = await Promise.all(
    namespacesOf(objects).map((name) => terminatingNamespace(target, name)),
  );
  return [
    ...missing.map(([, resource]) => whyNotServed(resource, groupKinds)),
    ...ending.filter((problem) => problem !== undefined),
  ];
}

function kindOf(resource: Resource): string {
  return `${formatApiVersion(resource)} ${resource.kind}`;
}

function whyNotServed(resource: Resource, served: ReadonlyMap<string, Resource>): string {
  const found = served.get(formatGroupKind(resource));
  const wanted = `${formatApiVersion(resource)} ${resource.kind}`;
  if (!found) return `${wanted} is not served there; install the provider that brings it`;
  return `${wanted} is not served there, only ${formatApiVersion(found)}; upgrade the provider that brings it`;
}

async function terminatingNamespace(target: Client, name: string): Promise<string | undefined> {
  const found = await readNamespace(target, name);
  if (found?.metadata.deletionTimestamp === undefined) return undefined;
  return `namespace ${name} is being deleted there; wait until it is gone`;
}

export function readNamespace(client: Client, name: string): Promise<KubeObject | undefined> {
  return getOptional(client.resource(builtInResources.namespaces), { name });
}

/** Existing objects that are being deleted. */
export function existingProblems(existing: ReadonlyMap<string, KubeObject>): readonly string[] {
  return [...existing.values()]
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
    .map((object) => `${nameOf(object)} is being deleted there; wait until it is gone`);
}

/** Providers that are missing at the target, or older there. */
export async function providerProblems(source: Client, target: Client): Promise<readonly string[]> {
  const [here, there] = await Promise.all(
    [source, target].map((client) => listObjects<ClusterctlRecord>(client, clusterctlProviders)),
  );
  return (here ?? []).flatMap((provider) => providerProblem(provider, there ?? []));
}

function providerProblem(
  { type, providerName, version = "", metadata }: ClusterctlRecord,
  there: readonly ClusterctlRecord[],
): readonly string[] {
  const same = there.filter((one) => one.type === type && one.providerName === providerName);
  if (same.length === 0) return [`${type} ${metadata.name} is not installed there; install it`];
  const wanted = tryParseVersion(version);
  const isNewEnough = same.some((one) => {
    const found = tryParseVersion(one.version ?? "");
    return !wanted || (found && compareVersions(found, wanted) >= 0);
  });
  if (isNewEnough) return [];
  const found = same.map((one) => one.version).join(", ");
  return [`${type} ${metadata.name} is older there (${found}) than here (${version}); upgrade it`];
}
