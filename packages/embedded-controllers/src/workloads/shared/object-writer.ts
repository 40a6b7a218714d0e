import type { Patch } from "@rookery/client";
import { deepEqual, type KubeObject, objectKeyOf } from "@rookery/kube";
import { fieldManager } from "../../context/context.ts";
import { complete, type Kind } from "./kinds.ts";
import type { Stored } from "./objects.ts";
import type { Scope } from "./workload-context.ts";

/** Writes objects of a kind in a reconcile; returns them as they were stored. */
export function writerOf<T extends Stored>({ context, signal }: Scope, kind: Kind<T>) {
  const objects = context.client.resource(kind.resource);
  const options = { fieldManager, signal };
  return {
    create: async (object: KubeObject) => complete<T>(await objects.create(object, options)),
    update: async (object: KubeObject) => complete<T>(await objects.update(object, options)),
    updateStatus: async (object: T, status: T["status"]) =>
      complete<T>(await objects.status.update({ ...object, status }, options)),
    patch: async (object: KubeObject, patch: Patch) =>
      complete<T>(await objects.patch(objectKeyOf(object), patch, options)),
    /** Deletes this very object: another one of its name is a conflict. */
    async delete(object: KubeObject): Promise<void> {
      const { uid = "" } = object.metadata;
      await objects.delete(objectKeyOf(object), { signal, preconditions: { uid } });
    },
  };
}

/** Writes a status that differs from the stored one. */
export async function writeStatus<T extends Stored>(
  object: T,
  { kind, status }: { readonly kind: Kind<T>; readonly status: T["status"] },
  scope: Scope,
): Promise<void> {
  if (isSameStatus(object.status as object, status as object)) return;
  await writerOf(scope, kind).updateStatus(object, status);
}

/** Whether two statuses are equal where undefined, 0 and an empty list are the same. */
export function isSameStatus(a: object, b: object): boolean {
  return deepEqual(withoutEmpty(a), withoutEmpty(b));
}

function withoutEmpty(status: object): object {
  const isEmpty = (value: unknown) =>
    value === undefined || value === 0 || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(status).filter(([, value]) => !isEmpty(value)));
}
