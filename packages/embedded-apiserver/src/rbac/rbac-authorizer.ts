import type { Attributes, Decision } from "@rookery/apiserver";
import type { Store } from "../store/store.ts";
import { ruleAllows } from "./covers.ts";
import {
  createRuleResolver,
  describeGrant,
  describeMissing,
  type Grant,
  type RuleResolver,
} from "./rule-resolver.ts";

/**
 * Allows what the roles in the store allow, with kube-apiserver's reasons. The reason names the
 * first matching binding. Members of system:masters need `allowPrivilegedGroup`. Synchronous.
 */
export function createRbacAuthorizer(
  store: Store,
  resolver: RuleResolver = createRuleResolver(store),
): (attributes: Attributes) => Decision {
  return (attributes) => {
    const { user, namespace } = attributes;
    const missing: Grant[] = [];
    for (const grant of resolver.grantsTo(user, namespace)) {
      if (grant.rules === undefined) missing.push(grant);
      if (grant.rules?.some((rule) => ruleAllows(rule, attributes))) {
        return { decision: "Allow", reason: `RBAC: allowed by ${describeGrant(grant, user)}` };
      }
    }
    if (missing.length === 0) return { decision: "NoOpinion" };
    return { decision: "NoOpinion", reason: `RBAC: ${describeMissing(missing)}` };
  };
}
