import type { Provider, ProviderManifest } from "@rookery/api";
import { type Client, ignoreAlreadyExists } from "@rookery/client";
import { applyManifests, fieldManager } from "../operator/apply-manifests.ts";
import { providersOf } from "../providers/declared-providers.ts";
import { untilAdmitted } from "../providers/until-admitted.ts";
import type { InitObjects } from "./init-objects.ts";

/**
 * Creates all that declares providers; those that somebody else has made meanwhile are left as they
 * are. Errors: WaitError where the operator does not admit them in time.
 */
export async function declareProviders(
  client: Client,
  objects: readonly InitObjects[],
  timeoutSeconds: number,
): Promise<void> {
  for (const { supplies } of objects) await applyManifests(client, supplies);
  for (const { provider } of objects) await declare(client, provider, timeoutSeconds);
}

async function declare(
  client: Client,
  manifest: ProviderManifest,
  timeoutSeconds: number,
): Promise<void> {
  const { kind, metadata } = manifest;
  const create = () =>
    ignoreAlreadyExists(providersOf(client, kind).create(manifest as Provider, { fieldManager }));
  const what = `${kind} ${metadata.name} to be taken`;
  await untilAdmitted(create, { what, timeoutSeconds, isNew: true });
}
