import { apiVersionOf, type Crd, type CrdVersion, versionsOf } from "./crd.ts";
import { compareVersions } from "./kube-aware-version.ts";

/** What clients of a deprecated version are warned of. */
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
  const told = `${apiVersionOf(crd, version)} ${kind} is deprecated`;
  return better ? `${told}; use ${apiVersionOf(crd, better)} ${kind}` : told;
}
