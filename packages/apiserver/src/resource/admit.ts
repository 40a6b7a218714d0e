import type { KubeObject } from "@rookery/kube";
import { validateAdmission } from "../admission/admission.ts";
import { assertAllowed } from "../pipeline/authorization.ts";
import { requestInfoOf } from "../request/request-context.ts";
import { admissionAttributesOf, assertValid, type Exchange } from "./exchange.ts";
import type { ResourceRequest } from "./handlers.ts";
import { mutateKeepingManagedFields } from "./managed-fields.ts";
import { withUniqueOwners } from "./object-meta.ts";
import type { WriteOptions } from "./write-options.ts";

export interface ObjectWrite {
  readonly request: ResourceRequest;
  readonly options: WriteOptions;
  readonly object: KubeObject;
  /** The object that is replaced; undefined for a new one. */
  readonly current: KubeObject | undefined;
  /** Whether an update or an apply creates the object, which needs the permission to create. */
  readonly createsOnUpdate?: boolean;
}

/** Mutates, prepares, validates and admits an object. */
export async function admitObject(exchange: Exchange, write: ObjectWrite): Promise<KubeObject> {
  const { request, options, current } = write;
  const attributes = {
    ...admissionAttributesOf(exchange, request, {
      operation: current ? "UPDATE" : "CREATE",
      options,
      dryRun: options.dryRun.length > 0,
      name: request.name || (write.object.metadata.name ?? ""),
    }),
    oldObject: current,
  };
  const mutated = await mutateKeepingManagedFields(exchange, {
    ...attributes,
    object: write.object,
  });
  const unique = withUniqueOwners(mutated, request.warn, "after mutating admission happens");
  const object = prepared(exchange, unique, write);
  assertValid(exchange, object, current);
  if (write.createsOnUpdate) await assertMayCreate(exchange, request);
  await validateAdmission(exchange.services.admission, { ...attributes, object });
  return object;
}

function prepared(
  { scope: { strategy } }: Exchange,
  object: KubeObject,
  { request, current }: ObjectWrite,
): KubeObject {
  const { prepareForCreate, prepareForUpdate } = strategy;
  if (current) return prepareForUpdate ? prepareForUpdate(object, { current, request }) : object;
  return prepareForCreate ? prepareForCreate(object, request) : object;
}

async function assertMayCreate(
  { http, services }: Exchange,
  { user }: ResourceRequest,
): Promise<void> {
  const attributes = { ...requestInfoOf(http), verb: "create", user };
  await assertAllowed(services.authorize, attributes, http);
}
