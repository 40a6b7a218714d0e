import { conflictError, type KubeObject, type RequestInfo, type Status } from "@rookery/kube";
import { negotiateInput } from "../codec/media-types.ts";
import { negotiateOutput } from "../negotiation/output.ts";
import { auditObject } from "../pipeline/audit.ts";
import { admitObject } from "./admit.ts";
import { decodeObject } from "./decode.ts";
import { deleteCollectionVerb, deleteVerb } from "./delete.ts";
import {
  assertDryRun,
  assertNameGiven,
  type Exchange,
  readBody,
  resourceRequestOf,
  type VerbHandler,
} from "./exchange.ts";
import type { ResourceHandlers, ResourceRequest } from "./handlers.ts";
import { trackManagedFields } from "./managed-fields.ts";
import {
  assertNamed,
  inRequestNamespace,
  withoutSystemFields,
  withoutVersion,
  withUniqueOwners,
} from "./object-meta.ts";
import { patchVerb } from "./patch.ts";
import { getVerb, listVerb } from "./read.ts";
import type { ResourceScope } from "./registry.ts";
import { allowsConversion, writeResult } from "./result.ts";
import { watchVerb } from "./watch.ts";
import { parseWriteOptions, type WriteOptions } from "./write-options.ts";

/** The handlers of a path, by verb. */
export function verbHandlersOf(scope: ResourceScope, info: RequestInfo): VerbHandlers {
  // Custom kinds have one route for all paths; their handlers report errors.
  if (scope.resource.dialect === "custom") {
    return { ...objectHandlers(scope), ...collectionHandlers(scope) };
  }
  // A legacy path that watches one object is a watch of the collection by name.
  const isObject = isObjectPath(info) && info.verb !== "watch";
  return isObject ? objectHandlers(scope) : collectionHandlers(scope);
}

function objectHandlers({ handlers, subresource }: ResourceScope): VerbHandlers {
  const { create, get, update } = handlers;
  return {
    get: get && getVerb(get),
    create: subresource !== "" && create && createVerb(create),
    update: update && updateVerb(update),
    patch: update && patchVerb(update),
    delete: handlers.delete && deleteVerb(handlers.delete),
  };
}

function collectionHandlers({ handlers }: ResourceScope): VerbHandlers {
  const { create, list, watch, deleteCollection } = handlers;
  return {
    create: create && createVerb(create),
    list: list && listVerb(list),
    watch: watch && watchVerb(watch),
    deletecollection: deleteCollection && deleteCollectionVerb(deleteCollection),
  };
}

export type VerbHandlers = Readonly<Record<string, VerbHandler | false | undefined>>;

/** Whether a path names an object, possibly with a subresource. */
export function isObjectPath({ parts }: RequestInfo): boolean {
  return parts.length > 1;
}

/** Serves POST, with checks in kube-apiserver's order. */
function createVerb(create: NonNullable<ResourceHandlers["create"]>): VerbHandler {
  return async (exchange) => {
    const { http, scope, services } = exchange;
    const output = negotiateOutput(http, allowsConversion);
    const decoder = negotiateInput(http, services.decoders);
    const body = await readBody(exchange);
    const options = parseWriteOptions(http.query, "CreateOptions");
    assertDryRun(exchange, options.dryRun);
    const request = resourceRequestOf(exchange);
    const { fieldValidation } = options;
    const { warn } = request;
    const decoded = decodeObject(body, { scope, decoder, fieldValidation, warn });
    auditObject(http, decoded);
    const part = scope.resource.subresources?.[scope.subresource];
    const cleared = part?.keepsSystemFields ? decoded : withoutSystemFields(decoded);
    const own = inRequestNamespace(cleared, request.namespace, scope);
    const unique = withUniqueOwners(own, warn);
    const current = undefined;
    const managed = await trackManagedFields(exchange, options, { object: unique, current });
    const object = await admitObject(exchange, { request, options, object: managed, current });
    const name = request.name || (object.metadata.name ?? "");
    const result = await create({ ...request, name, object, options });
    return writeResult(exchange, { status: statusOf(result), output, object: result });
  };
}

function statusOf(result: KubeObject | Status): number {
  return "code" in result && result.kind === "Status" ? (result.code ?? 201) : 201;
}

/** Serves PUT, in kube-apiserver's order. */
function updateVerb(update: NonNullable<ResourceHandlers["update"]>): VerbHandler {
  return async (exchange) => {
    const { http, scope, services } = exchange;
    const request = resourceRequestOf(exchange);
    assertNameGiven(request);
    const output = negotiateOutput(http, allowsConversion);
    const body = await readBody(exchange);
    const options = parseWriteOptions(http.query, "UpdateOptions");
    assertDryRun(exchange, options.dryRun);
    const decoder = negotiateInput(http, services.decoders);
    const { warn } = request;
    const decoded = decodeObject(body, {
      scope,
      decoder,
      warn,
      fieldValidation: options.fieldValidation,
    });
    auditObject(http, decoded);
    const own = withUniqueOwners(inRequestNamespace(decoded, request.namespace, scope), warn);
    assertNamed(own, request.name);
    const put = updateOf(exchange, { request, options, object: own });
    const result = await update({ ...request, options, type: "put", ...put });
    const { object, created } = result;
    return writeResult(exchange, { status: created ? 201 : 200, output, object });
  };
}

/** How the storage makes the object, which it may ask for repeatedly. */
function updateOf(exchange: Exchange, { request, options, object }: Put) {
  const managed = (current: KubeObject | undefined) =>
    trackManagedFields(exchange, options, { object, current });
  const updated = async (current: KubeObject) =>
    admitObject(exchange, { request, options, object: await managed(current), current });
  if (!exchange.scope.resource.allowsCreateOnUpdate || exchange.scope.subresource !== "") {
    return { updated };
  }
  const created = async () => {
    assertNoUid(exchange, object);
    const own = withoutSystemFields(withoutVersion(await managed(undefined)));
    const write = { request, options, object: own, current: undefined, createsOnUpdate: true };
    return admitObject(exchange, write);
  };
  return { updated, created };
}

/** A uid means that the client expects the object to exist. */
function assertNoUid({ scope }: Exchange, { metadata }: KubeObject): void {
  const { uid = "", name = "" } = metadata;
  if (uid === "") return;
  const resource = { group: scope.group, resource: scope.resource.plural };
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: `;
  throw conflictError(resource, name, why);
}

interface Put {
  readonly request: ResourceRequest;
  readonly options: WriteOptions;
  readonly object: KubeObject;
}
