import type { Correlation } from "../../correlation.ts";

/** What decides whether a failure is old: the node itself, or the nearest one above that could be told. */
export interface Ratchet {
  readonly current: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

export function ratchetAt(
  ratchet: Ratchet,
  child: (current: Correlation) => Correlation | undefined,
): Ratchet {
  return ratchet.current ? { current: child(ratchet.current), nearest: ratchet.current } : ratchet;
}

export function ratchetKey(ratchet: Ratchet, key: string): Ratchet {
  const isTypeMeta = !ratchet.nearest && (key === "apiVersion" || key === "kind");
  // Old and new are converted to one version first, so that a change of it can't be seen.
  if (ratchet.current && isTypeMeta) return { current: undefined, nearest: undefined };
  return ratchetAt(ratchet, (current) => current.key(key));
}
