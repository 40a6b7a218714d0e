import type { HttpRequest } from "@rookery/http";
import { booleanOption, parseQuery, parseRequestInfo, type RequestInfo } from "@rookery/kube";

/** What a request asks for; undefined where no API server could say it either. */
export function infoOf(request: HttpRequest): RequestInfo | undefined {
  try {
    return parseRequestInfo(request);
  } catch {
    return undefined;
  }
}

/** Whether an answer goes on until somebody ends it: a watch, or a log that is followed. */
export function isStream(request: HttpRequest): boolean {
  const { verb, subresource } = infoOf(request) ?? {};
  if (verb === "watch") return true;
  return (
    verb === "get" && subresource === "log" && booleanOption(parseQuery(request.query), "follow")
  );
}
