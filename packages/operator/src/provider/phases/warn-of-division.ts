import { warnOfCredentials } from "../../instances/credentials-namespace.ts";
import type { DivisionWarning } from "../../instances/division-warning.ts";
import { warnOfMissing } from "../../instances/namespace-rights.ts";
import { warnOfRights } from "../../instances/rights.ts";
import { isCore } from "../../preflight/core-of.ts";
import type { ProviderScope } from "../scope.ts";
import { ownFamily } from "./redivide.ts";

/**
 * What is to be known of the namespaces that an instance claims, whether it has them yet or not: who
 * waits at preflight is told, too. Undefined where there is nothing to look at.
 */
export async function warnOfDivision(
  scope: ProviderScope,
): Promise<readonly DivisionWarning[] | undefined> {
  const { owned, layout } = scope.record.state;
  if (scope.provider.spec?.watch === undefined && layout === undefined) return undefined;
  const family = ownFamily(scope);
  const known = [
    ...warnOfMissing(scope.record.state, scope.provider.metadata.namespace),
    ...warnOfRights(family),
    ...warnOfCredentials(family, layout),
  ];
  const isFirst = layout?.first === true;
  if (!isFirst && !isCore(family.self.view)) return known.length > 0 ? known : undefined;
  // Gaps are nobody's: the first, which has the CRDs, tells of them.
  const crds = isFirst ? owned.filter(({ stage }) => stage === "crds") : [];
  return [...(await scope.divisionWarnings.of(family, crds, scope)), ...known];
}
