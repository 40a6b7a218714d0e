import { claimWarnings } from "../../instances/claims.ts";
import { isCore } from "../../instances/core-of.ts";
import { credentialWarnings } from "../../instances/credentials-namespace.ts";
import type { InstanceWarning } from "../../instances/family.ts";
import { missingNamespaceWarnings } from "../../instances/namespace-rights.ts";
import { rightsWarnings } from "../../instances/rights.ts";
import type { ProviderScope } from "../scope.ts";
import { ownFamily } from "./update-layout.ts";

/** Warnings about claimed namespaces, also before the install; undefined without instances. */
export async function collectWarnings(
  scope: ProviderScope,
): Promise<readonly InstanceWarning[] | undefined> {
  const { owned, layout } = scope.record.state;
  if (scope.provider.spec?.watch === undefined && layout === undefined) return undefined;
  const family = ownFamily(scope);
  const known = [
    ...claimWarnings(family),
    ...missingNamespaceWarnings(scope.record.state, scope.provider.metadata.namespace),
    ...rightsWarnings(family),
    ...credentialWarnings(family, layout),
  ];
  const isFirst = layout?.first === true;
  if (!isFirst && !isCore(family.self.view)) return known.length > 0 ? known : undefined;
  // Only the first instance, which has the CRDs, warns of namespaces that no instance claims.
  const crds = isFirst ? owned.filter(({ stage }) => stage === "crds") : [];
  const found = await scope.namespaceWarnings.of(family, crds, scope);
  // The condition has the reason of the first warning, and gaps matter most.
  return [...found, ...known].toSorted(
    (a, b) => Number(b.reason === "NamespaceGap") - Number(a.reason === "NamespaceGap"),
  );
}
