import { headerValue } from "@rookery/http";
import type { KubeObject, PatchSchema } from "@rookery/kube";
import { type AdmissionAttributes, mutateObject } from "../admission/admission.ts";
import type { Exchange } from "./exchange.ts";
import type { FieldChange, FieldManager } from "./field-manager.ts";
import type { ResourceScope } from "./registry.ts";
import { managerOfUserAgent, type WriteOptions } from "./write-options.ts";

/** Of the body's kind, which a subresource may define. */
export function fieldManagerOf(scope: ResourceScope): FieldManager | undefined {
  return bodyKindOf(scope).fieldManager;
}

export function patchSchemaOf(scope: ResourceScope): PatchSchema | undefined {
  return bodyKindOf(scope).patchSchema;
}

function bodyKindOf({ resource, subresource }: ResourceScope) {
  const part = resource.subresources?.[subresource];
  return part?.kind ? part : resource;
}

/** The manager, as managedFields name it. */
export function fieldChangeOf(exchange: Exchange, options: WriteOptions): FieldChange {
  const { http, scope, services } = exchange;
  const userAgent = headerValue(http.headers, "user-agent") ?? "";
  const manager = options.fieldManager || managerOfUserAgent(userAgent);
  return { manager, subresource: scope.subresource, time: services.now() };
}

/** Updates managedFields, for kinds that track them. */
export function trackManagedFields(
  exchange: Exchange,
  options: WriteOptions,
  { object, current }: { readonly object: KubeObject; readonly current: KubeObject | undefined },
): KubeObject | Promise<KubeObject> {
  const manager = fieldManagerOf(exchange.scope);
  return manager
    ? manager.update(object, current, fieldChangeOf(exchange, options))
    : unmanaged(object);
}

/** Drops an empty list, which has a meaning only for tracked kinds. */
function unmanaged(object: KubeObject): KubeObject {
  if (object.metadata.managedFields?.length !== 0) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Runs mutating admission. Invalid managedFields of a plugin are reverted. */
export async function mutateKeepingManagedFields(
  { scope, services }: Exchange,
  attributes: Omit<AdmissionAttributes, "reinvocation"> & { readonly object: KubeObject },
): Promise<KubeObject> {
  const mutated = await mutateObject(services.admission, attributes);
  const { managedFields: before } = attributes.object.metadata;
  const { managedFields: after, ...metadata } = mutated.metadata;
  const problem = after === before ? undefined : fieldManagerOf(scope)?.problemOf(after);
  if (problem === undefined) return mutated;
  attributes.warn(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`,
  );
  return { ...mutated, metadata: before ? { ...metadata, managedFields: before } : metadata };
}
