import type { ServedGroup, ServedVersion } from "@rookery/apiserver";

/** Groups as one list: what has the same name is put together, the first one's part first. */
export function mergeGroups(groups: readonly ServedGroup[]): readonly ServedGroup[] {
  const byName = Map.groupBy(groups, ({ name }) => name);
  return [...byName].map(([name, parts]) =>
    parts.length === 1 && parts[0]
      ? parts[0]
      : { name, versions: mergeVersions(parts.flatMap(({ versions }) => versions)) },
  );
}

function mergeVersions(versions: readonly ServedVersion[]): readonly ServedVersion[] {
  const byName = Map.groupBy(versions, ({ name }) => name);
  return [...byName].map(([name, parts]) =>
    parts.length === 1 && parts[0]
      ? parts[0]
      : { name, resources: parts.flatMap(({ resources }) => resources) },
  );
}
