import type { HttpRequest, HttpResponse } from "@rookery/http";
import { internalError, type Status, type StatusError, statusOf } from "@rookery/kube";
import { writeObject, writeRawJson } from "./encode.ts";
import { noConversion, tryNegotiateOutput } from "./output.ts";

/** The one place where an error becomes an answer: its Status, written as the client likes it. */
export function errorResponse(request: HttpRequest, error: StatusError): Promise<HttpResponse> {
  return statusResponse(request, statusOf(error));
}

/** An error that nobody foresaw: its words are for the log, not for the client. */
export function unexpectedError(auditId: string): StatusError {
  const why = "this request failed in a way that the server did not foresee";
  return internalError(new Error(`${why}; its log has the details under Audit-Id ${auditId}`));
}

async function statusResponse(request: HttpRequest, status: Status): Promise<HttpResponse> {
  const code = status.code ?? 500;
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  const headers = {
    ...(retryAfter > 0 && { "retry-after": String(retryAfter) }),
    ...(code === 403 && { "x-content-type-options": "nosniff" }),
  };
  const output = tryNegotiateOutput(request, noConversion);
  if (output !== undefined)
    return writeObject(request, { status: code, object: status, output, headers });
  // What went wrong matters more than how it is written.
  const raw = writeRawJson(code, status);
  return { ...raw, headers: { ...raw.headers, ...headers } };
}
