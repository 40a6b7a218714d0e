import type { HttpRequest, HttpResponse, Interceptor } from "@rookery/http";
import { internalError, type Status, StatusError, statusOf } from "@rookery/kube";
import { writeObject, writeRawJson } from "../negotiation/encode.ts";
import { noConversion, tryNegotiateOutput } from "../negotiation/output.ts";
import { auditIdKey, userKey } from "../request/request-context.ts";

/** A failed request in logs, without secrets. */
export interface FailedRequest {
  /** "" before an ID was assigned. */
  readonly auditId: string;
  readonly method: string;
  readonly path: string;
  readonly user?: string;
}

/** Called with errors that are hidden from clients. */
export type OnError = (error: unknown, request?: FailedRequest) => void;

/** Turns errors into responses: a StatusError into its Status, any other into a logged 500. */
export function withRecovery(onError: OnError): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      return answerError(error, request, onError);
    }
  };
}

function answerError(
  error: unknown,
  request: HttpRequest,
  onError: OnError,
): Promise<HttpResponse> {
  if (error instanceof StatusError) return errorResponse(request, error);
  const failed = describeRequest(request);
  // Errors of a client that left are expected.
  if (!request.signal.aborted) onError(error, failed);
  return errorResponse(request, unexpectedError(failed.auditId));
}

export function describeRequest({ context, method, path }: HttpRequest): FailedRequest {
  const user = context.get(userKey)?.name;
  const auditId = context.get(auditIdKey) ?? "";
  return { auditId, method, path, ...(user !== undefined && { user }) };
}

/** Writes an error in the negotiated format. */
function errorResponse(request: HttpRequest, error: StatusError): Promise<HttpResponse> {
  return statusResponse(request, statusOf(error));
}

/** An internal error: the details are only logged. */
function unexpectedError(auditId: string): StatusError {
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
  // An error is sent even if no format is acceptable.
  const raw = writeRawJson(code, status);
  return { ...raw, headers: { ...raw.headers, ...headers } };
}
