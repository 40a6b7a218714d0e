import type { HttpRequest } from "@rookery/http";
import { booleanOption, parseQuery, parseRequestInfo, type RequestInfo } from "@rookery/kube";

/** Undefined for an invalid path. */
export function infoOf(request: HttpRequest): RequestInfo | undefined {
  try {
    return parseRequestInfo(request);
  } catch {
    return undefined;
  }
}

/** Whether a response is endless: a watch, or a followed log. */
export function isStream(request: HttpRequest): boolean {
  const { verb, subresource } = infoOf(request) ?? {};
  if (verb === "watch") return true;
  return (
    verb === "get" && subresource === "log" && booleanOption(parseQuery(request.query), "follow")
  );
}
