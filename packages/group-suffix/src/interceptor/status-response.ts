import { discardBody, type HttpRequest, type HttpResponse } from "@rookery/http";
import { findStatusError, statusOf } from "@rookery/kube";

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

/** Answers with the Status of an error and discards the body; rethrows other errors. */
export async function refuse(request: HttpRequest, error: unknown): Promise<HttpResponse> {
  await discardBody(request.body);
  if (findStatusError(error) === undefined) throw error;
  return statusResponse(error);
}
