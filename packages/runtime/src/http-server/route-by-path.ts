import type { Handler } from "@rookery/http";
import { notFound, textResponse } from "./text-response.ts";

/** Hands requests to the handler of exactly their path. */
export function routeByPath(handlers: ReadonlyMap<string, Handler>): Handler {
  return (request) => handlers.get(request.path)?.(request) ?? notFound;
}

/** Refuses what is neither GET nor HEAD. */
export function readOnly(handler: Handler): Handler {
  return (request) => {
    if (request.method === "GET" || request.method === "HEAD") return handler(request);
    const { headers, ...refusal } = textResponse(405, "Method Not Allowed\n");
    return { ...refusal, headers: { ...headers, allow: "GET, HEAD" } };
  };
}
