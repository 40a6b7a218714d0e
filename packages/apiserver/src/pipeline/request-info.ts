import type { HttpRequest, Interceptor } from "@rookery/http";
import { StatusError } from "@rookery/kube";
import { MalformedPathError } from "../errors.ts";
import { writeText } from "../negotiation/encode.ts";
import { errorResponse } from "../negotiation/error-response.ts";
import { requestInfoKey } from "../request/request-context.ts";
import { parseRequestInfo, type RequestInfo } from "../request/request-info.ts";
import { withHeaders } from "./audit-id.ts";

/** Finds out what a request asks for, or refuses it with 400. */
export const withRequestInfo: Interceptor = (next) => (request) => {
  const info = tryParse(request);
  if (info instanceof StatusError) return errorResponse(request, info);
  // As Go's server has it, which reads paths before anyone else does.
  if (info === undefined) return writeText(400, "400 Bad Request");
  return next({ ...request, context: request.context.with(requestInfoKey, info) });
};

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
