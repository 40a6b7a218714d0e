import { type CreateRequest, unclassifiedError } from "@rookery/apiserver";
import type { StoreEntry } from "@rookery/kube";
import {
  alreadyExistsError,
  deepCopy,
  generateNameConflictError,
  type KubeObject,
  StatusError,
} from "@rookery/kube";
import { StaleError } from "../errors.ts";
import { keyOf, requestedResource } from "./get-object.ts";
import type { ObjectVersions } from "./object-versions.ts";
import type { StorageOptions } from "./storage-options.ts";
import { storedForm, writableForm } from "./stored-form.ts";

type NewObject = Pick<CreateRequest, "object" | "options" | "info" | "namespace" | "warn"> &
  CreateRequest;

export function createObject(options: StorageOptions, versions: ObjectVersions) {
  return async (request: NewObject): Promise<KubeObject> => {
    const { rules, store } = options;
    const { resourceVersion = "" } = request.object.metadata;
    if (resourceVersion !== "" && resourceVersion !== "0") {
      throw unclassifiedError("resourceVersion should not be set on objects to be created");
    }
    for (const text of rules.warnings?.(request.object) ?? []) request.warn(text);
    const name = request.object.metadata.name ?? "";
    const key = keyOf({ ...request, name }, options);
    const object = rules.beforeCreate ? (deepCopy(request.object) as KubeObject) : request.object;
    if (rules.beforeCreate) await rules.beforeCreate(object);
    try {
      if (request.options.dryRun.length > 0) {
        const existing = store.get(key);
        if (existing) throw existsError(request, existing);
        const dry = await versions.dryRun(object);
        rules.afterDelete?.(object);
        return storedForm(dry);
      }
      const stored = versions.isPlain ? object : await versions.stored(object);
      const write = { ...key, expected: 0, object: writableForm(stored) };
      return await versions.served(await store.write(write));
    } catch (error) {
      if (rules.beforeCreate) rules.afterDelete?.(object);
      if (error instanceof StaleError) throw existsError(request, error.current);
      throw error;
    }
  };
}

function existsError(request: NewObject, existing: StoreEntry | undefined): StatusError {
  const { name = "", generateName = "" } = request.object.metadata;
  const resource = requestedResource(request);
  const error =
    generateName === ""
      ? alreadyExistsError(resource, name)
      : generateNameConflictError(resource, name, 1);
  if (existing?.object.metadata.deletionTimestamp === undefined) return error;
  const message = `object is being deleted: ${error.message}`;
  return new StatusError({ ...error.status, message });
}
