import { posix } from "node:path";

/** Joins as Go's path.Join does; "" where there is nothing to join. */
export function joinPath(...parts: readonly string[]): string {
  const given = parts.filter((part) => part !== "");
  return given.length === 0 ? "" : posix.join(...given).replace(/(.)\/$/, "$1");
}

/** As `joinPath`, with a slash at the end where there was one. */
export function joinKeepingSlash(path: string): string {
  const joined = joinPath(path);
  return path.endsWith("/") && !joined.endsWith("/") ? `${joined}/` : joined;
}

/** Percent-encodes a path as Go does. */
export function escapePath(path: string): string {
  return encodeURI(path).replace(
    /[?#!'()*[\]]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
