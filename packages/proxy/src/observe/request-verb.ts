import type { HttpRequest } from "@rookery/http";
import { infoOf, isStream } from "../long-running.ts";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The verb as in kube-apiserver's metrics, with a bounded number of values. */
export function requestVerb(request: HttpRequest): string {
  if (request.headers.upgrade !== undefined) return "CONNECT";
  if (isStream(request)) return "WATCH";
  if (!methods.has(request.method)) return "OTHER";
  return request.method === "GET" && infoOf(request)?.verb === "list" ? "LIST" : request.method;
}
