import { deepEqual } from "@rookery/kube";
import { fieldManager } from "../../context/context.ts";
import { complete, type Kind } from "./kinds.ts";
import type { Stored } from "./objects.ts";
import type { Scope } from "./workload-context.ts";

/** The object with another status, as it was stored. */
export async function updateStatus<T extends Stored>(
  object: T,
  { kind, status }: { readonly kind: Kind<T>; readonly status: T["status"] },
  { context, signal }: Scope,
): Promise<T> {
  const objects = context.client.resource(kind.resource);
  return complete<T>(await objects.status.update({ ...object, status }, { fieldManager, signal }));
}

/** Whether two states say the same: fields of no value are as good as none. */
export function isSameStatus(a: object, b: object): boolean {
  return deepEqual(withoutEmpty(a), withoutEmpty(b));
}

function withoutEmpty(status: object): object {
  const isEmpty = (value: unknown) =>
    value === undefined || value === 0 || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(status).filter(([, value]) => !isEmpty(value)));
}
