import { type Client, getOptional } from "@rookery/client";
import type { Component } from "@rookery/components";
import { PhaseError } from "../errors.ts";
import { customResourceDefinitions } from "../resources.ts";
import {
  type Definition,
  definitionsAmong,
  oldStoredVersions,
  storageVersionOf,
} from "./definition.ts";
import { migrateDefinition } from "./migrate-definition.ts";

/**
 * Makes sure that no object is stored in a version that the next definitions no longer have. Where
 * they keep the current storage version, objects are rewritten in it first, by the conversion that is
 * in place; else it is refused, as by clusterctl. Throws PhaseError; can be repeated at any point.
 */
export async function prepareStoredVersions(
  next: readonly Component[],
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const losing: Definition[] = [];
  for (const definition of definitionsAmong(next)) {
    const current = await currentDefinition(definition, client, signal);
    const dropped = current ? droppedVersions(current, definition) : [];
    if (!current || dropped.length === 0) continue;
    refuseDroppedStorage(current, dropped);
    losing.push(current);
  }
  for (const current of losing) await migrateNow(current, client, signal);
}

/**
 * Rewrites objects that are stored in another version than the storage version of their definition,
 * and says so in its storedVersions. Returns whether nothing is left to do; false is for later, when
 * the API server and the conversion webhook answer. Throws PhaseError where objects are refused.
 */
export async function migrateStoredVersions(
  crds: readonly Component[],
  client: Client,
  signal: AbortSignal,
): Promise<boolean> {
  let isDone = true;
  for (const definition of definitionsAmong(crds)) {
    const current = await currentDefinition(definition, client, signal);
    if (!current || oldStoredVersions(current).length === 0) continue;
    isDone = (await migrateIfAnswered(current, client, signal)) && isDone;
  }
  return isDone;
}

/** The definitions whose storage version differs: what is stored since cannot be read by the old one. */
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

function currentDefinition(
  { metadata: { name = "" } }: Definition,
  client: Client,
  signal: AbortSignal,
): Promise<Definition | undefined> {
  const definitions = client.resource<Definition>(customResourceDefinitions);
  return getOptional(definitions, { name }, { signal });
}

/** The API server takes no definition that lacks one of its storedVersions. */
function droppedVersions(current: Definition, { spec }: Definition): readonly string[] {
  const kept = new Set(spec.versions?.map(({ name }) => name));
  return (current.status?.storedVersions ?? []).filter((version) => !kept.has(version));
}

function refuseDroppedStorage(current: Definition, dropped: readonly string[]): void {
  const storage = storageVersionOf(current);
  if (storage === undefined || !dropped.includes(storage)) return;
  throw new PhaseError("ProviderInstalled", "StoredVersionDropped", {
    message:
      `could not change CustomResourceDefinition ${current.metadata.name}: it would lose version ` +
      `${storage}, in which its objects are stored; install a version of the provider first that has ` +
      `${storage} and a newer storage version`,
  });
}

async function migrateNow(current: Definition, client: Client, signal: AbortSignal): Promise<void> {
  const failure = await migrateDefinition(current, client, signal).then(
    (isDone) => (isDone ? undefined : new Error("it was changed at the same time")),
    (error: Error) => error,
  );
  signal.throwIfAborted();
  if (failure) throw failure instanceof PhaseError ? failure : notMigrated(current, failure);
}

async function migrateIfAnswered(
  current: Definition,
  client: Client,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await migrateDefinition(current, client, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PhaseError) throw error;
    return false;
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
