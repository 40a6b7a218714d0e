import { headerValue } from "@rookery/http";
import {
  applyJsonPatch,
  applyMergePatch,
  badRequestError,
  FieldError,
  fieldPath,
  type JsonPatchOperation,
  type KubeObject,
  PatchError,
  type PatchType,
  patchTypes,
  statusError,
  unsupportedMediaTypeError,
} from "@rookery/kube";
import { describeJsonError } from "../codec/json-error.ts";
import { mediaTypeOf } from "../codec/media-types.ts";
import { negotiateOutput } from "../negotiation/output.ts";
import { optionalBoolean } from "../request/query.ts";
import { completeObject } from "./decode.ts";
import {
  assertDryRun,
  assertNameGiven,
  type Exchange,
  readBody,
  resourceRequestOf,
  type VerbHandler,
} from "./exchange.ts";
import type { ResourceHandlers, ResourceRequest } from "./handlers.ts";
import { assertNamed, inRequestNamespace, withUniqueOwners } from "./object-meta.ts";
import { allowsConversion, writeResult } from "./result.ts";
import { admitChange } from "./update.ts";
import {
  refuseInvalid,
  type WriteOptions,
  withDefaults,
  writeOptionsOf,
  writeProblems,
} from "./write-options.ts";

/** The patches that need nothing but the object. */
const served: readonly PatchType[] = [patchTypes.json, patchTypes.merge];

/** Serves PATCH: the storage's update with an object that is made by a patch. */
export function patchVerb(update: NonNullable<ResourceHandlers["update"]>): VerbHandler {
  return async (exchange) => {
    const { http } = exchange;
    const type = patchTypeOf(exchange);
    const request = resourceRequestOf(exchange);
    assertNameGiven(request);
    const output = negotiateOutput(http, allowsConversion);
    const patch = parsePatch(await readBody(exchange), type);
    const options = parsePatchOptions(http.query);
    assertDryRun(exchange, options.dryRun);
    const updated = (current: KubeObject) => {
      const object = patchedObject(exchange, {
        request,
        options,
        patched: apply(patch, current, type),
      });
      return admitChange(exchange, { request, options, object, current });
    };
    const result = await update({ ...request, options, type, updated });
    return writeResult(exchange, { status: 200, output, object: result });
  };
}

function patchTypeOf({ http }: Exchange): PatchType {
  const mediaType = mediaTypeOf(headerValue(http.headers, "content-type"));
  const type = served.find((each) => each === mediaType);
  if (type === undefined) throw unsupportedMediaTypeError(served);
  return type;
}

function parsePatchOptions(query: string): WriteOptions {
  const parameters = new URLSearchParams(query);
  const options = writeOptionsOf(parameters);
  const forced = optionalBoolean(parameters, "force") !== undefined;
  const detail = "may not be specified for non-apply patch";
  refuseInvalid("PatchOptions", [
    ...(forced ? [FieldError.forbidden(fieldPath("force"), detail)] : []),
    ...writeProblems(options),
  ]);
  return withDefaults(options);
}

function parsePatch(body: Uint8Array, type: PatchType): unknown {
  const text = new TextDecoder().decode(body);
  const patch = parse(text);
  if (type === patchTypes.json && !Array.isArray(patch)) {
    throw badRequestError("could not read the JSON patch: it is no list of operations");
  }
  if (
    type === patchTypes.merge &&
    (typeof patch !== "object" || patch === null || Array.isArray(patch))
  ) {
    throw badRequestError("could not read the merge patch: it is no object");
  }
  return patch;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequestError(`error decoding patch: ${describeJsonError(text)}`);
  }
}

/** Neither kind of patch can make something else of an object. */
function apply(patch: unknown, current: KubeObject, type: PatchType): object {
  try {
    if (type === patchTypes.merge) return applyMergePatch(current, patch) as object;
    return applyJsonPatch(current, patch as readonly JsonPatchOperation[]) as object;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const message = "the server rejected our request due to an error in our request";
    throw statusError({ code: 422, reason: "Invalid", message, details: {} }, { cause: error });
  }
}

function patchedObject(
  { scope }: Exchange,
  {
    request,
    options,
    patched,
  }: { request: ResourceRequest; options: WriteOptions; patched: object },
): KubeObject {
  const { warn } = request;
  const { fieldValidation } = options;
  const completed = completeObject(patched, { scope, fieldValidation, warn });
  const object = inRequestNamespace(completed, request.namespace, scope);
  assertNamed(object, request.name);
  return withUniqueOwners(object, warn);
}
