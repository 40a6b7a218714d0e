import { headerValue } from "@rookery/http";
import {
  conflictError,
  FieldError,
  fieldPath,
  type KubeObject,
  optionalBoolean,
  type PatchType,
  parseQuery,
  patchTypes,
  statusError,
  unsupportedMediaTypeError,
} from "@rookery/kube";
import { mediaTypeOf } from "../codec/media-types.ts";
import { negotiateOutput } from "../negotiation/output.ts";
import { admitObject } from "./admit.ts";
import { applyPatcher } from "./apply-patch.ts";
import {
  assertDryRun,
  assertNameGiven,
  type Exchange,
  readBody,
  resourceRequestOf,
  type VerbHandler,
} from "./exchange.ts";
import type { ResourceHandlers } from "./handlers.ts";
import { jsonPatcher } from "./json-patch.ts";
import { fieldManagerOf, patchSchemaOf } from "./managed-fields.ts";
import { mergePatcher } from "./merge-patch.ts";
import { assertNamed, inRequestNamespace, withoutVersion } from "./object-meta.ts";
import type { Patcher, PatchOptions, PatchRequest } from "./patch-request.ts";
import { allowsConversion, writeResult } from "./result.ts";
import { strategicPatcher } from "./strategic-patch.ts";
import { refuseInvalid, withDefaults, writeOptionsOf, writeProblems } from "./write-options.ts";

export function patchVerb(update: NonNullable<ResourceHandlers["update"]>): VerbHandler {
  return async (exchange) => {
    const { http } = exchange;
    const type = patchTypeOf(exchange);
    const request = resourceRequestOf(exchange);
    assertNameGiven(request);
    const output = negotiateOutput(http, allowsConversion);
    const body = await readBody(exchange);
    const options = parsePatchOptions(http.query, type);
    assertDryRun(exchange, options.dryRun);
    const patch = writesOf({ exchange, request, options, body }, type);
    const result = await update({ ...request, options, type, ...patch });
    const { object, created } = result;
    return writeResult(exchange, { status: created ? 201 : 200, output, object });
  };
}

function patchTypeOf({ http, scope }: Exchange): PatchType {
  const served = servedTypes(scope);
  const mediaType = mediaTypeOf(headerValue(http.headers, "content-type"));
  const type = served.find((each) => each === mediaType);
  if (type !== undefined) return type;
  if (scope.resource.dialect === "custom") throw unsupportedMediaTypeError(served);
  const message = "415: Unsupported Media Type";
  throw statusError({ code: 415, reason: "UnsupportedMediaType", message, details: {} });
}

function servedTypes(scope: Exchange["scope"]): readonly PatchType[] {
  return [
    patchTypes.json,
    patchTypes.merge,
    ...(patchSchemaOf(scope) ? [patchTypes.strategicMerge] : []),
    ...(fieldManagerOf(scope) ? [patchTypes.apply] : []),
  ];
}

function parsePatchOptions(query: string, type: PatchType): PatchOptions {
  const parameters = parseQuery(query);
  const options = writeOptionsOf(parameters);
  const force = optionalBoolean(parameters, "force");
  refuseInvalid("PatchOptions", [
    ...(type === patchTypes.apply ? applyProblems(options) : forceProblems(force)),
    ...writeProblems(options),
  ]);
  return { ...withDefaults(options), ...(force !== undefined && { force }) };
}

function applyProblems({ fieldManager }: { readonly fieldManager: string }): FieldError[] {
  if (fieldManager !== "") return [];
  return [FieldError.required(fieldPath("fieldManager"), "is required for apply patch")];
}

function forceProblems(force: boolean | undefined): FieldError[] {
  if (force === undefined) return [];
  return [FieldError.forbidden(fieldPath("force"), "may not be specified for non-apply patch")];
}

const patchers: Readonly<Record<PatchType, (patch: PatchRequest) => Patcher>> = {
  [patchTypes.json]: jsonPatcher,
  [patchTypes.merge]: mergePatcher,
  [patchTypes.strategicMerge]: strategicPatcher,
  [patchTypes.apply]: applyPatcher,
};

/**
 * How the storage makes the object, which it may ask for repeatedly. An apply may create objects,
 * except by a subresource.
 */
function writesOf(patch: PatchRequest, type: PatchType) {
  const { exchange, request, options } = patch;
  const patcher = patchers[type](patch);
  const updated = async (current: KubeObject) => {
    const object = placed(await patcher(current), patch);
    return admitObject(exchange, { request, options, object, current });
  };
  if (type !== patchTypes.apply || exchange.scope.subresource !== "") return { updated };
  const created = async () => {
    const object = placed(withoutUid(await patcher(undefined), patch), patch);
    const write = { request, options, object, current: undefined, createsOnUpdate: true };
    return admitObject(exchange, write);
  };
  return { updated, created };
}

/** Throws if the object is not that of the path. */
function placed(object: KubeObject, { exchange, request }: PatchRequest): KubeObject {
  const own = inRequestNamespace(object, request.namespace, exchange.scope);
  assertNamed(own, request.name);
  return own;
}

function withoutUid(object: KubeObject, { exchange, request }: PatchRequest): KubeObject {
  const { uid = "" } = object.metadata;
  if (uid === "") return withoutVersion(object);
  const { group, resource } = exchange.scope;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflictError({ group, resource: resource.plural }, request.name, why);
}
