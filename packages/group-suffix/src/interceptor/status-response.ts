import type { HttpResponse } from "@rookery/http";
import { statusOf } from "@rookery/kube";

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
