import type { HttpRequest } from "@rookery/http";

/**
 * Whether a response may take any time: a watch, a followed log, a switched protocol. Such
 * requests have no timeout, rate limit or compression.
 */
export function isLongRunning({ query, headers }: HttpRequest): boolean {
  if (headers.upgrade !== undefined) return true;
  return query !== "" && /(?:^|&)(?:watch|follow)=(?:1|true)(?:&|$)/i.test(query);
}
