/**
 * The path and query of a request target, with or without scheme and host. Undefined for other
 * forms.
 */
export function splitTarget(target: string): { path: string; query: string } | undefined {
  const origin = target.startsWith("/") ? "" : /^https?:\/\/[^/?#]+(?=\/)/i.exec(target)?.[0];
  if (origin === undefined) return undefined;
  const question = target.indexOf("?", origin.length);
  if (question < 0) return { path: target.slice(origin.length), query: "" };
  return { path: target.slice(origin.length, question), query: target.slice(question + 1) };
}
