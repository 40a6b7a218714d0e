import {
  type Body,
  BodyTooLargeError,
  bodyLength,
  collectBody,
  type HttpHeaders,
  type HttpRequest,
  headerValue,
} from "@rookery/http";
import {
  badRequestError,
  notAcceptableError,
  requestEntityTooLargeError,
  unsupportedMediaTypeError,
} from "@rookery/kube";
import { isGroupSuffixError } from "../group-suffix-error.ts";
import { checkName } from "./check-name.ts";
import type { Fingerprint } from "./fingerprint.ts";
import { acceptable, encodingOf, readableTypes } from "./media-type.ts";
import type { Renaming } from "./renaming.ts";
import { renameQuery } from "./request-query.ts";
import type { RequestTarget } from "./request-target.ts";

/** More than API servers take: they say themselves what is too much. */
const maxBodyBytes = 32 * 1024 * 1024;

interface RenamedRequest {
  readonly renamed: HttpRequest;
  /** Values of the header Warning for the answer. */
  readonly warnings: readonly string[];
}

/** The request as the other side understands it. Rejects with a StatusError where it is refused. */
export async function renameRequest(
  request: HttpRequest,
  about: RequestTarget,
  renaming: Renaming,
): Promise<RenamedRequest> {
  const { mapping, fingerprint } = renaming;
  const { headers, query, body } = request;
  const isEmpty = bodyLength(body) === 0;
  const found = isEmpty ? undefined : await renameBody(request, about, renaming);
  const renamed = found?.result;
  const hashed = about.shape === "openApi" ? fingerprint.unmarkHash(query) : query;
  return {
    renamed: {
      ...request,
      path: about.path,
      query: renameQuery(hashed, about.target, mapping),
      headers: {
        ...renameHeaders(headers, fingerprint),
        ...(renamed && lengthHeader(headers, renamed)),
      },
      ...(renamed && { body: renamed }),
    },
    warnings: found?.warnings ?? [],
  };
}

async function renameBody(
  { headers, body }: HttpRequest,
  { shape, target }: RequestTarget,
  { mapping, renamers, warnings }: Renaming,
): Promise<{ readonly result: Uint8Array; readonly warnings: readonly string[] }> {
  const encoding = encodingOf(headerValue(headers, "content-type"));
  const renamer = renamers.forBody({ shape, encoding, isWatch: false });
  const packed = headerValue(headers, "content-encoding") ?? "identity";
  if (renamer === undefined || packed !== "identity")
    throw unsupportedMediaTypeError(readableTypes);
  const bytes = await collect(body, headers);
  if (bytes.length === 0) return { result: bytes, warnings: [] };
  const found = warnings.during(() => readable(() => renamer.rename(bytes, target)));
  if (found.result !== bytes) checkName({ bytes: found.result, encoding, target }, mapping);
  return found;
}

/** The whole body. Rejects with a StatusError where it is too long, or not as long as declared. */
export async function collect(body: Body, headers: HttpHeaders): Promise<Uint8Array> {
  try {
    const bytes = await collectBody(body, { limit: maxBodyBytes });
    const declared = headerValue(headers, "content-length");
    if (declared === undefined || Number(declared) === bytes.length) return bytes;
    throw badRequestError(`the body has ${bytes.length} bytes, not ${declared} as its header says`);
  } catch (error) {
    if (error instanceof BodyTooLargeError)
      throw requestEntityTooLargeError(
        `limit is ${maxBodyBytes} for what is renamed on its way; send it in smaller parts`,
      );
    throw error;
  }
}

/** Turns what cannot be read into the Status that says so. */
export function readable(rename: () => Uint8Array): Uint8Array {
  try {
    return rename();
  } catch (error) {
    if (isGroupSuffixError(error)) throw badRequestError(error.message);
    throw error;
  }
}

/**
 * Answers are asked for unpacked: they have to be read here, and what is near is sooner sent than
 * packed.
 */
function renameHeaders(headers: HttpHeaders, fingerprint: Fingerprint): HttpHeaders {
  const { "accept-encoding": _, "if-none-match": tags, "if-modified-since": __, ...kept } = headers;
  const { accept } = kept;
  const types = accept === undefined ? undefined : acceptable(accept);
  if (accept !== undefined && types === undefined) {
    throw notAcceptableError(["application/json", "application/yaml"]);
  }
  const known = tags === undefined ? undefined : fingerprint.unmarkTags([tags].flat().join(","));
  return {
    ...kept,
    ...(types !== undefined && { accept: types }),
    ...(known !== undefined && { "if-none-match": known }),
  };
}

export function lengthHeader(headers: HttpHeaders, body: Uint8Array): HttpHeaders {
  return headers["content-length"] === undefined ? {} : { "content-length": `${body.length}` };
}
