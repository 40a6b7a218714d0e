import type { Handler, HttpResponse } from "@rookery/http";

/** Plain text, which browsers do not treat as another type. */
export function textResponse(status: number, text: string): HttpResponse {
  return {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
    },
    body: Buffer.from(text),
  };
}

export const notFound: HttpResponse = textResponse(404, "404 page not found\n");

/** Passes requests to the handler of exactly their path. */
export function routeByPath(handlers: ReadonlyMap<string, Handler>): Handler {
  return (request) => handlers.get(request.path)?.(request) ?? notFound;
}

/** Rejects all methods but GET and HEAD. */
export function readOnly(handler: Handler): Handler {
  return (request) => {
    if (request.method === "GET" || request.method === "HEAD") return handler(request);
    const { headers, ...refusal } = textResponse(405, "Method Not Allowed\n");
    return { ...refusal, headers: { ...headers, allow: "GET, HEAD" } };
  };
}
