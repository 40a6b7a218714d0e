import { apiVersionOf, type Crd, type CrdVersion, versionsOf } from "./crd.ts";

const stages: Readonly<Record<string, number>> = { alpha: 0, beta: 1, "": 2 };

/** Compares versions in the order of discovery: v10, v2, v11beta2, v1alpha1, foo1, foo10. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (!left && !right) return a < b ? -1 : a > b ? 1 : 0;
  if (!left || !right) return left ? -1 : 1;
  for (const [index, rank] of left.entries()) {
    const difference = (right[index] ?? 0) - rank;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Stage, major and minor; undefined for names that are not Kubernetes versions. */
function rankOf(version: string): readonly number[] | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return undefined;
  const [, major, stage = "", minor = 0] = match;
  return [stages[stage] ?? 0, Number(major), Number(minor)];
}

/** The warnings to clients of a deprecated version. */
export function deprecationWarnings(crd: Crd, version: CrdVersion): readonly string[] {
  if (!version.deprecated) return [];
  return [version.deprecationWarning ?? defaultWarning(crd, version)];
}

function defaultWarning(crd: Crd, version: CrdVersion): string {
  const kind = crd.spec?.names?.kind ?? "";
  const { name = "" } = version;
  const [better] = versionsOf(crd)
    .filter((each) => each.served && !each.deprecated && compareVersions(each.name ?? "", name) < 0)
    .toSorted((a, b) => compareVersions(a.name ?? "", b.name ?? ""));
  const warning = `${apiVersionOf(crd, version)} ${kind} is deprecated`;
  return better ? `${warning}; use ${apiVersionOf(crd, better)} ${kind}` : warning;
}
