import { gunzipSync } from "node:zlib";
import {
  bodyLength,
  collectBody,
  discardBody,
  type HttpHeaders,
  type HttpResponse,
  headerValue,
} from "@rookery/http";
import { internalError } from "@rookery/kube";
import type { BodyRenamer, Target } from "../body-renamer.ts";
import { UnreadableBodyError } from "../errors.ts";
import { renameName } from "../forms/text-edits.ts";
import { type GroupSuffixError, isGroupSuffixError } from "../group-suffix-error.ts";
import { type Encoding, encodingOf } from "./media-type.ts";
import { renamedBody } from "./renamed-body.ts";
import type { Renaming } from "./renaming.ts";
import type { BodyShape, RequestTarget } from "./request-target.ts";
import { statusResponse } from "./status-response.ts";

/** Shorter responses are renamed as a whole, so that they keep a content-length. */
const wholeBytes = 2 * 1024 * 1024;
const maxPackedBytes = 256 * 1024 * 1024;

/** Renames a response; an internal error if it is unreadable. */
export async function renameResponse(
  response: HttpResponse,
  about: RequestTarget,
  renaming: Renaming,
): Promise<HttpResponse> {
  if (response.upgrade !== undefined) return response;
  const headers = renameResponseHeaders(response.headers, renaming);
  const answer = { ...response, headers };
  if (bodyLength(response.body) === 0) return answer;
  const type = headerValue(headers, "content-type");
  // A failed response is a Status, whatever was requested.
  const isSuccess = response.status < 300;
  const shape = isSuccess ? about.shape : "object";
  const encoding = answerEncoding(shape, type);
  const renamer = renaming.renamers.forBody({
    shape,
    encoding,
    isWatch: about.isWatch && isSuccess,
  });
  if (renamer !== undefined) return renameOrFail(answer, renamer, about.target);
  if (encoding === "text" || isForeign(about.target, renaming)) return answer;
  return failed(
    answer,
    new UnreadableBodyError(type ?? "nameless", "its media type is not supported"),
  );
}

/** API servers send the OpenAPI index, which is JSON, as text. */
function answerEncoding(shape: BodyShape, type: string | undefined): Encoding {
  if (shape === "openApiIndex") return "json";
  return type === undefined ? "unknown" : encodingOf(type);
}

async function renameOrFail(
  answer: HttpResponse,
  renamer: BodyRenamer,
  target: Target | undefined,
): Promise<HttpResponse> {
  try {
    return await renameContent(answer, renamer, target);
  } catch (error) {
    if (isGroupSuffixError(error)) return failed(answer, error);
    throw error;
  }
}

async function renameContent(
  answer: HttpResponse,
  renamer: BodyRenamer,
  target: Target | undefined,
): Promise<HttpResponse> {
  const { headers, body } = answer;
  const packed = headerValue(headers, "content-encoding") ?? "identity";
  if (packed !== "identity") return renameContent(await unpack(answer, packed), renamer, target);
  const length = bodyLength(body) ?? Number(headerValue(headers, "content-length") ?? Number.NaN);
  if (length <= wholeBytes) {
    const renamed = renamer.rename(await collectBody(body, { limit: wholeBytes }), target);
    return withBytes(answer, renamed);
  }
  const { "content-length": _, ...kept } = headers;
  return { ...answer, headers: kept, body: renamedBody(body, renamer.stream(target)) };
}

/** Some servers compress although the request forbids it. */
async function unpack(answer: HttpResponse, packed: string): Promise<HttpResponse> {
  const { "content-encoding": _, ...headers } = answer.headers;
  if (packed !== "gzip")
    throw new UnreadableBodyError(packed, "its content encoding is not supported");
  const bytes = await collectBody(answer.body, { limit: maxPackedBytes });
  return withBytes({ ...answer, headers }, gunzip(bytes));
}

function gunzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxPackedBytes });
  } catch (cause) {
    throw new UnreadableBodyError("gzip", "it cannot be unpacked", { cause });
  }
}

function withBytes(answer: HttpResponse, body: Uint8Array): HttpResponse {
  const headers: HttpHeaders = { ...answer.headers, "content-length": `${body.length}` };
  return { ...answer, headers, body };
}

async function failed(answer: HttpResponse, error: GroupSuffixError): Promise<HttpResponse> {
  await discardBody(answer.body);
  return statusResponse(internalError(error));
}

/** Whether the resource of the request is not mapped. */
function isForeign(target: Target | undefined, { mapping }: Renaming): boolean {
  return target !== undefined && mapping.swap(target.group) === target.group;
}

/** Renames groups in headers, and marks ETags. */
function renameResponseHeaders(headers: HttpHeaders, renaming: Renaming): HttpHeaders {
  const { etag, location, warning, "last-modified": modified, ...kept } = headers;
  if (
    etag === undefined &&
    location === undefined &&
    warning === undefined &&
    modified === undefined
  ) {
    return headers;
  }
  const { fingerprint, mapping } = renaming;
  const renamePath = (url: string) => fingerprint.markHash(renameName(url, "path", mapping));
  const renameMessage = (text: string) => renameName(text, "message", mapping);
  return {
    ...kept,
    ...(etag !== undefined && { etag: mapHeader(etag, (tag) => fingerprint.markTag(tag)) }),
    ...(location !== undefined && { location: mapHeader(location, renamePath) }),
    ...(warning !== undefined && { warning: mapHeader(warning, renameMessage) }),
  };
}

function mapHeader(
  value: string | readonly string[],
  change: (text: string) => string,
): string | readonly string[] {
  return typeof value === "string" ? change(value) : value.map(change);
}
