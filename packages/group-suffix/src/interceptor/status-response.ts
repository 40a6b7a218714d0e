import { discardBody, type HttpRequest, type HttpResponse } from "@rookery/http";
import { findStatusError, statusOf } from "@rookery/kube";

/** The answer of an API server that fails with this error. */
export function statusResponse(error: unknown): HttpResponse {
  const status = statusOf(error);
  const body = Buffer.from(JSON.stringify(status));
  return {
    status: status.code ?? 500,
    headers: {
      "content-type": "application/json",
      "content-length": `${body.length}`,
    },
    body,
  };
}

/** Answers with the Status of an error, and gets rid of the body; throws an error that has none. */
export async function refuse(request: HttpRequest, error: unknown): Promise<HttpResponse> {
  await discardBody(request.body);
  if (findStatusError(error) === undefined) throw error;
  return statusResponse(error);
}
