import type { HttpRequest, Interceptor } from "@rookery/http";
import {
  MalformedPathError,
  parseRequestInfo,
  quote,
  type RequestInfo,
  StatusError,
} from "@rookery/kube";
import { writeText } from "../negotiation/encode.ts";
import { requestInfoKey } from "../request/request-context.ts";
import { withHeaders } from "./audit-id.ts";

/** Finds out what a request asks for, or answers for kube-apiserver, which fails where it cannot. */
export const withRequestInfo: Interceptor = (next) => (request) => {
  const info = tryParse(request);
  if (info instanceof StatusError) return writeText(500, failureText(request, info));
  // As Go's server has it, which reads paths before anyone else does.
  if (info === undefined) return writeText(400, "400 Bad Request");
  return next({ ...request, context: request.context.with(requestInfoKey, info) });
};

function failureText({ path, query }: HttpRequest, { message }: StatusError): string {
  const target = query === "" ? path : `${path}?${query}`;
  const escaped = target.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return `Internal Server Error: ${quote(escaped)}: failed to create RequestInfo: ${message}\n`;
}

function tryParse(request: HttpRequest): RequestInfo | StatusError | undefined {
  try {
    return parseRequestInfo(request);
  } catch (error) {
    if (error instanceof StatusError) return error;
    if (error instanceof MalformedPathError) return undefined;
    throw error;
  }
}

/** Answers are for one user and now, unless they say otherwise. */
export const withCacheControl: Interceptor = (next) => async (request) =>
  withHeaders(await next(request), { "cache-control": "no-cache, private" });
