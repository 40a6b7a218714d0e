import type { HttpRequest } from "@rookery/http";

/**
 * Whether an answer may take as long as it likes: a watch, a log that is followed, a switched
 * protocol. Such a request has no timeout, is not rate limited and is not compressed.
 */
export function isLongRunning({ query, headers }: HttpRequest): boolean {
  if (headers.upgrade !== undefined) return true;
  return query !== "" && /(?:^|&)(?:watch|follow)=(?:1|true)(?:&|$)/i.test(query);
}
