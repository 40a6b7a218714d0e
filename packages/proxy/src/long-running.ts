import type { HttpRequest } from "@rookery/http";

/** Whether an answer goes on until somebody ends it: a watch, or a log that is followed. */
export function isStream({ method, query }: HttpRequest): boolean {
  if (query === "" || method !== "GET") return false;
  return /(?:^|&)(?:watch|follow)=(?:1|t|true)(?:&|$)/i.test(query);
}
