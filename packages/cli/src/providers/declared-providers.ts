import { type Provider, providerKinds, resourceOf } from "@rookery/api";
import { type Client, getOptional, type Patch, type ResourceClient } from "@rookery/client";
import type { ProviderIdentity, ProviderKind } from "@rookery/components";
import { fieldManager, listServed } from "../objects.ts";
import { untilAdmitted } from "./until-admitted.ts";

/** The key of a provider object. */
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

/** The client of a kind of provider. */
export function providersOf(client: Client, kind: ProviderKind): ResourceClient<Provider> {
  const declared = providerKinds.find((one) => one.kind === kind);
  if (!declared) throw new TypeError(`could not find the resource of ${kind}: there is none`);
  return client.resource<Provider>(resourceOf(declared, "v1alpha1"));
}

/** All provider objects, in the order of their installation; empty before the operator is installed. */
export async function listProviders(
  client: Client,
  namespace?: string,
): Promise<readonly Provider[]> {
  const lists = providerKinds.map((kind) =>
    listServed<Provider>(client, resourceOf(kind, "v1alpha1"), namespace),
  );
  return (await Promise.all(lists)).flat();
}

export function findProvider(
  client: Client,
  { kind, namespace, name }: ProviderKey,
): Promise<Provider | undefined> {
  return getOptional(providersOf(client, kind), { namespace, name });
}

/** Changes a provider. Throws the errors of `untilAdmitted`. */
export async function patchProvider(client: Client, key: ProviderKey, patch: Patch): Promise<void> {
  const { kind, namespace, name } = key;
  const write = () => providersOf(client, kind).patch({ namespace, name }, patch, { fieldManager });
  await untilAdmitted(write, { what: `the change of ${formatProviderKey(key)} to be taken` });
}

/** Merges fields into a provider's spec; null removes one. */
export function patchSpec(client: Client, key: ProviderKey, spec: object): Promise<void> {
  return patchProvider(client, key, { type: "merge", patch: { spec } });
}
