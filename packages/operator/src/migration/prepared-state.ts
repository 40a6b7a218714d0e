import type { Provider, ProviderManifest } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import { secrets } from "../resources.ts";
import type { InstallState } from "../state/install-state.ts";
import type { StateSeal } from "../state/state-seal.ts";
import {
  type SecretObject,
  stateKey,
  stateMetadata,
  stateOf,
  stateSecret,
} from "../state/state-secrets.ts";

interface Dependencies {
  readonly client: Client;
  readonly seal: StateSeal;
}

/** Records a state for an object that does not exist yet, without owner and finalizer; can be repeated. */
export async function prepareState(
  { client, seal }: Dependencies,
  manifest: ProviderManifest,
  state: InstallState,
): Promise<void> {
  const resource = client.resource<SecretObject>(secrets);
  const future = manifest as Provider;
  const { ownerReferences: _, finalizers: __, ...metadata } = stateMetadata(future, state);
  const secret = await seal.sealed(stateSecret(metadata, state));
  const before = await find(client, future);
  if (before && !isPrepared(before)) {
    const { namespace, name } = stateKey(future);
    throw new Error(
      `could not keep the state of ${manifest.kind} ${namespace}/${manifest.metadata.name}: Secret ${name} ` +
        "belongs to an object that is going; it is tried again",
    );
  }
  if (before === undefined) await resource.create(secret);
  else await resource.update({ ...secret, metadata: { ...secret.metadata, ...versionOf(before) } });
}

/** Sets the owner and the finalizer of a prepared state, if it has none and the seal is valid. */
export async function claimState(
  { client, seal }: Dependencies,
  provider: Provider,
): Promise<void> {
  const secret = await find(client, provider);
  const state = secret && stateOf(secret);
  if (!secret || state === undefined || !isPrepared(secret)) return;
  if (!(await seal.isGenuine(secret))) return;
  const metadata = { ...stateMetadata(provider, state), ...versionOf(secret) };
  await client.resource<SecretObject>(secrets).update(await seal.sealed({ ...secret, metadata }));
}

function isPrepared({ metadata }: SecretObject): boolean {
  return (metadata.ownerReferences ?? []).length === 0;
}

function find(client: Client, provider: Provider): Promise<SecretObject | undefined> {
  return getOptional(client.resource<SecretObject>(secrets), stateKey(provider));
}

function versionOf({ metadata }: SecretObject): { readonly resourceVersion?: string } {
  const { resourceVersion } = metadata;
  return resourceVersion === undefined ? {} : { resourceVersion };
}
