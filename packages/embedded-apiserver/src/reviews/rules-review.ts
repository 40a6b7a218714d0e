import type { PolicyRule, SelfSubjectRulesReviewSpec } from "@rookery/api";
import { badRequestError } from "@rookery/kube";
import { describeMissing, type RuleResolver } from "../rbac/rule-resolver.ts";
import type { ReviewKind } from "./review-kind.ts";

/** Tells who asks all that roles allow in a namespace. */
export function rulesReview(resolver: RuleResolver): ReviewKind {
  return {
    group: "authorization.k8s.io",
    kind: "SelfSubjectRulesReview",
    plural: "selfsubjectrulesreviews",
    namespaced: false,
    answer: ({ apiVersion, kind, spec }, { user }) => {
      const { namespace = "" } = (spec ?? {}) as SelfSubjectRulesReviewSpec;
      if (namespace === "") throw badRequestError("no namespace on request");
      const grants = [...resolver.grantsTo(user, namespace)];
      const missing = grants.filter(({ rules }) => rules === undefined);
      const status = {
        ...ruleLists(grants.flatMap(({ rules = [] }) => rules)),
        incomplete: false,
        ...(missing.length > 0 && { evaluationError: describeMissing(missing) }),
      };
      return { apiVersion, kind, metadata: {}, spec: {}, status };
    },
  };
}

function ruleLists(rules: readonly PolicyRule[]) {
  const ofResources = rules.filter(({ resources = [] }) => resources.length > 0);
  const ofUrls = rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0);
  return {
    resourceRules: ofResources.map(({ verbs, apiGroups, resources, resourceNames }) => ({
      ...{ verbs, apiGroups, resources },
      ...(resourceNames && { resourceNames }),
    })),
    nonResourceRules: ofUrls.map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
  };
}
