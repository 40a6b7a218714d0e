import type { ContainerMount } from "./container-root.ts";

/**
 * For machines where the node can't mount: replaces paths in mounts by the folders behind them, as in
 * "--data-dir=/var/lib/data" or "/certs/tls.crt,/certs/ca.crt".
 */
export function substitutePaths(text: string, mounts: readonly ContainerMount[]): string {
  const longestFirst = [...mounts].sort((one, other) => other.target.length - one.target.length);
  const sources = new Map(longestFirst.map((mount) => [mount.target, mount.source]));
  if (sources.size === 0) return text;
  const targets = longestFirst.map(({ target }) => target.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pattern = new RegExp(`(^|[=:,;\\s"'(])(${targets.join("|")})(?=$|[/:,;\\s"')])`, "g");
  return text.replace(pattern, (_, before: string, target: string) => {
    return `${before}${sources.get(target) ?? target}`;
  });
}
