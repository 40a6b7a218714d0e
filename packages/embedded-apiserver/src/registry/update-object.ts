import type { UpdateRequest, UpdateResult } from "@rookery/apiserver";
import type { StoreEntry } from "@rookery/kube";
import { deepCopy, deepEqual, type KubeObject, notFoundError } from "@rookery/kube";
import { StaleError } from "../errors.ts";
import { retryOnStale } from "../store/store.ts";
import { createObject } from "./create-object.ts";
import { shouldDeleteDuringUpdate } from "./deletion.ts";
import { keyOf, requestedResource } from "./get-object.ts";
import type { ObjectVersions } from "./object-versions.ts";
import type { StorageOptions } from "./storage-options.ts";
import { storedForm } from "./stored-form.ts";

/** Updates an object, retrying on concurrent writes; creates it where the request may. */
export function updateObject(options: StorageOptions, versions: ObjectVersions) {
  const create = createObject(options, versions);
  return (request: UpdateRequest): Promise<UpdateResult> =>
    retryOnStale(async () => {
      const entry = options.store.get(keyOf(request, options));
      if (entry) return changeEntry(request, entry, { options, versions });
      if (!request.created) throw notFoundError(requestedResource(request), request.name);
      const object = await request.created();
      // An object that another client created meanwhile is updated by the next attempt.
      const existing = options.store.get(keyOf(request, options));
      if (existing) throw new StaleError(existing);
      return { object: await create({ ...request, object }), created: true };
    });
}

interface Storage {
  readonly options: StorageOptions;
  readonly versions: ObjectVersions;
}

async function changeEntry(
  request: UpdateRequest,
  entry: StoreEntry,
  { options, versions }: Storage,
): Promise<UpdateResult> {
  const { rules, store } = options;
  const current = await versions.served(entry);
  const updated = await request.updated(current);
  for (const text of rules.warnings?.(updated, current) ?? []) request.warn(text);
  const object = rules.beforeUpdate ? (deepCopy(updated) as KubeObject) : updated;
  await rules.beforeUpdate?.(object, current);
  const isDryRun = request.options.dryRun.length > 0;
  if (shouldDeleteDuringUpdate(object, current, rules)) {
    if (!isDryRun) {
      await store.write({
        ...keyOf(request, options),
        expected: entry.revision,
        object: undefined,
      });
      rules.afterDelete?.(current);
    }
    return { object: storedForm(object), created: false };
  }
  const changed = storedForm(withOldTimes(object, current));
  if (isDryRun) return { object: storedForm(await versions.dryRun(changed)), created: false };
  const stored = storedForm(await versions.stored(changed));
  // Compares stored forms: an object that is only served differently is written.
  if (deepEqual(stored, entry.object)) return { object: current, created: false };
  const written = await store.write({
    ...keyOf(request, options),
    expected: entry.revision,
    object: stored,
  });
  return { object: await versions.served(written), created: false };
}

/** A change of only the times in managedFields is no change. */
function withOldTimes(object: KubeObject, current: KubeObject): KubeObject {
  const { managedFields } = current.metadata;
  if (!managedFields || !object.metadata.managedFields) return object;
  return deepEqual(withoutTimes(object), withoutTimes(current))
    ? { ...object, metadata: { ...object.metadata, managedFields } }
    : object;
}

function withoutTimes(object: KubeObject): KubeObject {
  const managedFields = object.metadata.managedFields?.map(({ time: _, ...entry }) => entry);
  return storedForm({
    ...object,
    metadata: { ...object.metadata, ...(managedFields && { managedFields }) },
  });
}
