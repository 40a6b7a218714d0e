import type { HttpRequest } from "@rookery/http";

/** "watch" without a value asks for one as well, as do all values but these. */
const no = /^(?:0|false)$/i;

/** Whether an answer goes on until somebody ends it: a watch, or a log that is followed. */
export function isStream({ method, path, query }: HttpRequest): boolean {
  if (method !== "GET") return false;
  if (/^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/watch\//.test(path)) return true;
  const asked = /(?:^|&)(?:watch|follow)(?:=([^&]*))?(?:&|$)/.exec(query);
  return asked !== null && !no.test(asked[1] ?? "");
}
