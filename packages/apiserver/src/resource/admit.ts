import type { KubeObject } from "@rookery/kube";
import { validateAdmission } from "../admission/admission.ts";
import { assertAllowed } from "../pipeline/authorization.ts";
import { requestInfoOf } from "../request/request-context.ts";
import { admissionAttributesOf, assertValid, type Exchange } from "./exchange.ts";
import { mutateWithAccount } from "./field-account.ts";
import type { ResourceRequest } from "./handlers.ts";
import { withUniqueOwners } from "./object-meta.ts";
import type { WriteOptions } from "./write-options.ts";

export interface NewObject {
  readonly request: ResourceRequest;
  readonly options: WriteOptions;
  readonly object: KubeObject;
  /** Whether the request asked for something else than to create, so that it may not be allowed to. */
  readonly isByTheWay?: boolean;
}

/** Mutates, prepares, validates and admits an object that is new. */
export async function admitNew(exchange: Exchange, creation: NewObject): Promise<KubeObject> {
  const { request, options, object } = creation;
  const { admission } = exchange.services;
  const attributes = {
    ...admissionAttributesOf(exchange, request, {
      operation: "CREATE",
      options,
      dryRun: options.dryRun.length > 0,
      name: request.name || (object.metadata.name ?? ""),
    }),
    oldObject: undefined,
  };
  const mutated = await mutateWithAccount(exchange, { ...attributes, object });
  const unique = withUniqueOwners(mutated, request.warn, "after mutating admission happens");
  const { prepareForCreate } = exchange.scope.strategy;
  const prepared = prepareForCreate ? prepareForCreate(unique, request) : unique;
  assertValid(exchange, prepared, undefined);
  if (creation.isByTheWay) await assertMayCreate(exchange, request);
  await validateAdmission(admission, { ...attributes, object: prepared });
  return prepared;
}

/** Who may change an object may not always create it. */
async function assertMayCreate(
  { http, services }: Exchange,
  { user }: ResourceRequest,
): Promise<void> {
  const attributes = { ...requestInfoOf(http), verb: "create", user };
  await assertAllowed(services.authorize, attributes, http);
}

export interface Change {
  readonly request: ResourceRequest;
  readonly options: WriteOptions;
  readonly object: KubeObject;
  readonly current: KubeObject;
}

/** Mutates, prepares, validates and admits an object that takes the place of another one. */
export async function admitChange(exchange: Exchange, change: Change): Promise<KubeObject> {
  const { request, options, current } = change;
  const { admission } = exchange.services;
  const attributes = {
    ...admissionAttributesOf(exchange, request, {
      operation: "UPDATE",
      options,
      dryRun: options.dryRun.length > 0,
      name: request.name,
    }),
    oldObject: current,
  };
  const mutated = await mutateWithAccount(exchange, { ...attributes, object: change.object });
  const unique = withUniqueOwners(mutated, request.warn, "after mutating admission happens");
  const { prepareForUpdate } = exchange.scope.strategy;
  const prepared = prepareForUpdate ? prepareForUpdate(unique, { current, request }) : unique;
  assertValid(exchange, prepared, current);
  await validateAdmission(admission, { ...attributes, object: prepared });
  return prepared;
}
