import type { Volume, VolumeProjection } from "@rookery/api";
import { quote } from "@rookery/kube";

interface PlacedPath {
  readonly path: string;
  /** Where it comes from, in a volume that is made of several. */
  readonly source: string;
}

type Items = readonly { readonly path?: string }[] | undefined;

/** Files of a volume of which one hides the other. */
export function overlapWarnings(volumes: readonly Volume[]): string[] {
  return volumes.flatMap((volume) => {
    const { name = "", configMap, secret, downwardAPI, projected } = volume;
    const parts: readonly (readonly [string, readonly PlacedPath[]])[] = [
      [`ConfigMap ${quote(configMap?.name ?? "")}`, pathsOf(configMap?.items)],
      [`Secret ${quote(secret?.secretName ?? "")}`, pathsOf(secret?.items)],
      ["DownwardAPI", pathsOf(downwardAPI?.items)],
      ["Projected", (projected?.sources ?? []).flatMap(projectedPaths)],
    ];
    const sources = projected?.sources ?? [];
    const empty = sources.filter((source) => Object.keys(source).length === 0);
    return [
      ...empty.map(() => `volume ${quote(name)} (Projected) has no sources provided`),
      ...parts.flatMap(([kind, paths]) =>
        overlapsOf(paths).map(
          (text) => `volume ${quote(name)} (${kind}): overlapping paths: ${text}`,
        ),
      ),
    ];
  });
}

function pathsOf(items: Items, source = ""): PlacedPath[] {
  return (items ?? []).map(({ path = "" }) => ({ path: path.replace(/\/+$/, ""), source }));
}

function projectedPaths(source: VolumeProjection): PlacedPath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap?.items) return pathsOf(configMap.items, `ConfigMap ${quote(configMap.name ?? "")}`);
  if (secret?.items) return pathsOf(secret.items, `Secret ${quote(secret.name ?? "")}`);
  if (downwardAPI?.items) return pathsOf(downwardAPI.items, "DownwardAPI");
  return serviceAccountToken ? pathsOf([serviceAccountToken], "ServiceAccountToken") : [];
}

function overlapsOf(paths: readonly PlacedPath[]): string[] {
  return paths.flatMap((one, i) =>
    paths
      .slice(0, i)
      .filter((other) => overlap(one.path, other.path))
      .map((other) => `${shown(one)} with ${shown(other)}`),
  );
}

function overlap(a: string, b: string): boolean {
  if (a === "" || b === "") return false;
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

function shown({ path, source }: PlacedPath): string {
  return source === "" ? quote(path) : `${quote(path)} (${source})`;
}
