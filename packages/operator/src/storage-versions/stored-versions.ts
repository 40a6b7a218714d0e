import type { Client } from "@rookery/client";
import { providerLabel } from "@rookery/cluster-api";
import type { Component, ComponentKey } from "@rookery/components";
import { metadataOnlyClient } from "@rookery/runtime";
import { PhaseError } from "../errors.ts";
import { customResourceDefinitions } from "../resources.ts";
import {
  type Definition,
  definitionsAmong,
  findDefinition,
  oldStoredVersions,
  storageVersionOf,
} from "./definition.ts";
import { migrateDefinition } from "./migrate-definition.ts";

/**
 * Makes sure that no object is stored in a version that the next definitions no longer have. Objects are
 * rewritten in the current storage version, by the current conversion; if the next definitions lack that
 * one, the change is rejected, as by clusterctl. Throws PhaseError; can be repeated.
 */
export async function prepareStoredVersions(
  next: readonly Component[],
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const losing: Definition[] = [];
  for (const definition of definitionsAmong(next)) {
    const current = await findDefinition(client, definition.metadata.name ?? "");
    const dropped = current ? droppedVersions(current, definition) : [];
    if (!current || dropped.length === 0) continue;
    checkStorageVersion(current, dropped);
    losing.push(current);
  }
  for (const current of losing) {
    const failure = await tryToMigrate(current, client, signal);
    if (failure) throw notMigrated(current, failure);
  }
}

/** Rewrites objects; returns false while a webhook does not answer. Throws PhaseError. */
export async function migrateStoredVersions(
  crds: readonly Component[],
  client: Client,
  signal: AbortSignal,
): Promise<boolean> {
  let isDone = true;
  for (const definition of definitionsAmong(crds)) {
    const current = await findDefinition(client, definition.metadata.name ?? "");
    if (!current || oldStoredVersions(current).length === 0) continue;
    if (await tryToMigrate(current, client, signal)) isDone = false;
  }
  return isDone;
}

/** The names of definitions whose storage version differs; the old ones cannot read objects stored since. */
export function storageVersionChanges(
  before: readonly Component[],
  after: readonly Component[],
): readonly string[] {
  const old = new Map(
    definitionsAmong(before).map((one) => [one.metadata.name, storageVersionOf(one)]),
  );
  return definitionsAmong(after).flatMap((definition) => {
    const { name = "" } = definition.metadata;
    return old.has(name) && old.get(name) !== storageVersionOf(definition) ? [name] : [];
  });
}

/** Whether no definition was ever changed, so that no object needs a rewrite. */
export async function areFirstDefinitions(
  crds: readonly ComponentKey[],
  label: string,
  client: Client,
): Promise<boolean> {
  const definitions = metadataOnlyClient(client.handler, customResourceDefinitions);
  const { items } = await definitions.list({ labelSelector: `${providerLabel}=${label}` });
  const first = items.filter(({ metadata }) => metadata.generation === 1);
  const names = new Set(first.map(({ metadata }) => metadata.name));
  return crds.every(({ name }) => names.has(name));
}

/** The API server rejects a definition without one of its storedVersions. */
function droppedVersions(current: Definition, { spec }: Definition): readonly string[] {
  const kept = new Set(spec.versions?.map(({ name }) => name));
  return (current.status?.storedVersions ?? []).filter((version) => !kept.has(version));
}

function checkStorageVersion(current: Definition, dropped: readonly string[]): void {
  const storage = storageVersionOf(current);
  if (storage === undefined || !dropped.includes(storage)) return;
  throw new PhaseError("ProviderInstalled", "StoredVersionDropped", {
    message:
      `could not change CustomResourceDefinition ${current.metadata.name}: it would lose version ` +
      `${storage}, in which its objects are stored; install a version of the provider first that has ` +
      `${storage} and a newer storage version`,
  });
}

/** Returns an error that may pass instead of rejecting with it. */
async function tryToMigrate(
  current: Definition,
  client: Client,
  signal: AbortSignal,
): Promise<Error | undefined> {
  try {
    const isDone = await migrateDefinition(current, client);
    signal.throwIfAborted();
    return isDone ? undefined : new Error("it was changed at the same time");
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PhaseError || !(error instanceof Error)) throw error;
    return error;
  }
}

function notMigrated({ metadata }: Definition, cause: Error): PhaseError {
  return new PhaseError("ProviderInstalled", "StoredVersionsNotMigrated", {
    message:
      `could not rewrite objects of ${metadata.name} in its storage version yet: ${cause.message}; it ` +
      "is tried again; where a conversion webhook does not answer, see that the provider runs and is not paused",
    retryAfterSeconds: 10,
    cause,
  });
}
