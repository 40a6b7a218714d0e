import { claimWarnings } from "../../instances/claims.ts";
import { isCore } from "../../instances/core-of.ts";
import { credentialWarnings } from "../../instances/credentials-namespace.ts";
import type { InstanceWarning } from "../../instances/instance-warning.ts";
import { missingNamespaceWarnings } from "../../instances/namespace-rights.ts";
import { rightsWarnings } from "../../instances/rights.ts";
import type { ProviderScope } from "../scope.ts";
import { ownFamily } from "./update-layout.ts";

/**
 * What is to be known of the namespaces that an instance claims, whether it has them yet or not: who
 * waits at preflight is told, too. Undefined where there is nothing to look at.
 */
export async function collectWarnings(
  scope: ProviderScope,
): Promise<readonly InstanceWarning[] | undefined> {
  const { owned, layout } = scope.record.state;
  if (scope.provider.spec?.watch === undefined && layout === undefined) return undefined;
  const family = ownFamily(scope);
  const claims = claimWarnings(family);
  const known = [
    ...missingNamespaceWarnings(scope.record.state, scope.provider.metadata.namespace),
    ...rightsWarnings(family),
    ...credentialWarnings(family, layout),
  ];
  const isFirst = layout?.first === true;
  if (!isFirst && !isCore(family.self.view))
    return claims.length + known.length > 0 ? [...claims, ...known] : undefined;
  // Gaps are nobody's: the first, which has the CRDs, tells of them.
  const crds = isFirst ? owned.filter(({ stage }) => stage === "crds") : [];
  const found = await scope.namespaceWarnings.of(family, crds, scope);
  // The condition has the reason of the first, and gaps matter most.
  return [...found, ...claims, ...known].toSorted(
    (a, b) => Number(b.reason === "NamespaceGap") - Number(a.reason === "NamespaceGap"),
  );
}
