import {
  bodyLength,
  collectBody,
  type Handler,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  headerValue,
  type Interceptor,
} from "@rookery/http";
import { internalError, unsupportedMediaTypeError } from "@rookery/kube";
import type { BodyRenamer, Target } from "../body-renamer.ts";
import { UnreadableBodyError } from "../errors.ts";
import { isGroupSuffixError } from "../group-suffix-error.ts";
import { createGroupMapping } from "../mapping/group-mapping.ts";
import { encodingOf } from "./media-type.ts";
import { exchange } from "./rename-groups.ts";
import { collect, lengthHeader, readable } from "./rename-request.ts";
import { createRenaming, type RenameOptions } from "./renaming.ts";
import { refuse, statusResponse } from "./status-response.ts";

/** The limit of API servers for webhook responses. */
const maxAnswerBytes = 32 * 1024 * 1024;

/** Renames a webhook's request and response. */
async function renameReview(
  request: HttpRequest,
  next: Handler,
  renamer: BodyRenamer,
): Promise<HttpResponse> {
  if (bodyLength(request.body) === 0) return next(request);
  try {
    const { headers } = request;
    if (!isJson(headers)) throw unsupportedMediaTypeError(["application/json"]);
    const asked = await collect(request.body, headers);
    const body = readable(() => renamer.rename(asked, undefined));
    const { "accept-encoding": _, ...kept } = headers;
    const renamed = { ...request, headers: { ...kept, ...lengthHeader(headers, body) }, body };
    return await renameAnswer(await next(renamed), renamer, asked);
  } catch (error) {
    return refuse(request, error);
  }
}

async function renameAnswer(
  response: HttpResponse,
  renamer: BodyRenamer,
  asked: Uint8Array,
): Promise<HttpResponse> {
  if (bodyLength(response.body) === 0) return response;
  const bytes = await collectBody(response.body, { limit: maxAnswerBytes });
  try {
    const body = isObject(bytes) ? renamer.rename(bytes, targetOf(asked, bytes)) : bytes;
    return {
      ...response,
      headers: { ...response.headers, "content-length": `${body.length}` },
      body,
    };
  } catch (error) {
    if (isGroupSuffixError(error)) return statusResponse(internalError(error));
    throw error;
  }
}

/** The target of a patch, which only the request has. */
function targetOf(asked: Uint8Array, answered: Uint8Array): Target | undefined {
  if (!Buffer.from(answered.buffer, answered.byteOffset, answered.length).includes('"patch"')) {
    return undefined;
  }
  const { request } = parse(asked) as { readonly request?: { readonly resource?: Target } };
  return request?.resource;
}

function parse(asked: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(asked).toString());
  } catch (cause) {
    throw new UnreadableBodyError("JSON", "it is malformed", { cause });
  }
}

/** Ignores the media type: controller-runtime sends none, and Go then guesses text/plain. */
function isObject(bytes: Uint8Array): boolean {
  return /^\s*\{/.test(Buffer.from(bytes.subarray(0, 64)).toString());
}

function isJson(headers: HttpHeaders): boolean {
  return encodingOf(headerValue(headers, "content-type")) === "json";
}

const apiPath = /^\/+(?:apis?|openapi)(?:\/|$)/;

/**
 * Renames calls of the API server to an app's webhooks, from real to virtual groups. Reviews keep
 * their path, which is the app's own; calls of an aggregated API are renamed as by `renameGroups`,
 * reversed. Undefined for an empty mapping. Errors: InvalidRuleError.
 */
export function renameCallbacks(options: RenameOptions): Interceptor | undefined {
  const { pairs } = options.mapping;
  if (pairs.length === 0) return undefined;
  const reversed = pairs.map(({ virtual, real, ...rest }) => ({
    ...rest,
    virtual: real,
    real: virtual,
  }));
  const renaming = createRenaming({ ...options, mapping: createGroupMapping(reversed) });
  const { review } = renaming.renamers;
  return (next) => (request) =>
    apiPath.test(request.path)
      ? exchange(request, next, renaming)
      : renameReview(request, next, review);
}
