import type { Volume, VolumeProjection } from "@rookery/api";
import { quote } from "@rookery/kube";
import type { Rule } from "../meta/rules.ts";

interface PlacedPath {
  readonly path: string;
  /** The source in a projected volume; "" in others. */
  readonly source: string;
}

type Items = readonly { readonly path?: string }[] | undefined;

/** Warns about files of a volume that hide each other. */
export const pathWarnings: Rule<readonly Volume[] | undefined> = (volumes = [], field) => {
  for (const { name = "", configMap, secret, downwardAPI, projected } of volumes) {
    const sources = projected?.sources ?? [];
    const paths: Readonly<Record<string, readonly PlacedPath[]>> = {
      [`ConfigMap ${quote(configMap?.name ?? "")}`]: pathsOf(configMap?.items),
      [`Secret ${quote(secret?.secretName ?? "")}`]: pathsOf(secret?.items),
      DownwardAPI: pathsOf(downwardAPI?.items),
      Projected: sources.flatMap(projectedPaths),
    };
    for (const source of sources) {
      if (Object.keys(source).length > 0) continue;
      field.warnPlainly(`volume ${quote(name)} (Projected) has no sources provided`);
    }
    for (const [kind, placed] of Object.entries(paths)) {
      for (const overlap of overlapsOf(placed)) {
        field.warnPlainly(`volume ${quote(name)} (${kind}): overlapping paths: ${overlap}`);
      }
    }
  }
};

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
