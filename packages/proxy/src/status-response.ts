import type { HttpResponse } from "@rookery/http";
import type { StatusError } from "@rookery/kube";

/** The Status as JSON, which every client reads. */
export function statusResponse({ status, httpStatus }: StatusError): HttpResponse {
  const retryAfter = status.details?.retryAfterSeconds;
  return {
    status: httpStatus,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-cache, private",
      ...(httpStatus === 401 && { "www-authenticate": 'Bearer realm="rookery-proxy"' }),
      ...(retryAfter !== undefined && { "retry-after": `${retryAfter}` }),
    },
    body: Buffer.from(`${JSON.stringify(status)}\n`),
  };
}
