import type { HttpRequest, HttpResponse, Interceptor } from "@rookery/http";
import { StatusError } from "@rookery/kube";
import { errorResponse, unexpectedError } from "../negotiation/error-response.ts";
import { auditIdKey, userKey } from "../request/request-context.ts";

/** What a log says of a request that failed: nothing that could be a secret. */
export interface FailedRequest {
  /** "" where it had none yet. */
  readonly auditId: string;
  readonly method: string;
  readonly path: string;
  readonly user?: string;
}

/** Hears of errors that clients are not told of, with the request where it was one that failed. */
export type OnError = (error: unknown, request?: FailedRequest) => void;

/** Turns every error into an answer: a StatusError into its Status, any other into a logged 500. */
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
  // Whoever left does not wait for an answer, and made the error.
  if (!request.signal.aborted) onError(error, failed);
  return errorResponse(request, unexpectedError(failed.auditId));
}

export function describeRequest({ context, method, path }: HttpRequest): FailedRequest {
  const user = context.get(userKey)?.name;
  const auditId = context.get(auditIdKey) ?? "";
  return { auditId, method, path, ...(user !== undefined && { user }) };
}
