import { type Provider, providerKinds, resourceOf } from "@rookery/api";
import {
  type Client,
  getOptional,
  ignoreNotFound,
  type Patch,
  type ResourceClient,
} from "@rookery/client";
import type { ProviderIdentity, ProviderKind } from "@rookery/components";
import { fieldManager } from "../operator/apply-manifests.ts";
import { untilAdmitted } from "./until-admitted.ts";

/** Which provider object is meant. */
export interface ProviderKey extends ProviderIdentity {
  readonly namespace: string;
}

export function providerKeyOf({ kind, metadata }: Provider): ProviderKey {
  const { namespace = "", name = "" } = metadata;
  return { kind: kind as ProviderKind, namespace, name };
}

/** "InfrastructureProvider capa-system/aws". */
export function formatProviderKey({ kind, namespace, name }: ProviderKey): string {
  return `${kind} ${namespace}/${name}`;
}

/** Reads and writes the provider objects of a kind. */
export function providersOf(client: Client, kind: ProviderKind): ResourceClient<Provider> {
  const declared = providerKinds.find((one) => one.kind === kind);
  if (!declared) throw new TypeError(`could not find the resource of ${kind}: there is none`);
  return client.resource<Provider>(resourceOf(declared, "v1alpha1"));
}

/** All provider objects, in the order in which they are installed; none where there is no operator yet. */
export async function listProviders(client: Client): Promise<readonly Provider[]> {
  const lists = providerKinds.map(async ({ kind }) => {
    const list = await ignoreNotFound(providersOf(client, kind as ProviderKind).listAll());
    return list?.items ?? [];
  });
  return (await Promise.all(lists)).flat();
}

/** Undefined where it is not there, any more or yet. */
export function findProvider(
  client: Client,
  { kind, namespace, name }: ProviderKey,
): Promise<Provider | undefined> {
  return getOptional(providersOf(client, kind), { namespace, name });
}

/** Changes a provider; see `untilAdmitted` for how it rejects. */
export async function patchProvider(client: Client, key: ProviderKey, patch: Patch): Promise<void> {
  const { kind, namespace, name } = key;
  const write = () => providersOf(client, kind).patch({ namespace, name }, patch, { fieldManager });
  await untilAdmitted(write, { what: `the change of ${formatProviderKey(key)} to be taken` });
}

/** Changes some fields of a provider's spec; null takes one away. */
export function patchSpec(client: Client, key: ProviderKey, spec: object): Promise<void> {
  return patchProvider(client, key, { type: "merge", patch: { spec } });
}
