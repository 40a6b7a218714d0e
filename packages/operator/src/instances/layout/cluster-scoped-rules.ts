import { type Component, isCrd, type PolicyRule } from "@rookery/components";

/** Kinds of Kubernetes in no namespace that managers have rights on. */
const builtIn: Readonly<Record<string, readonly string[]>> = {
  "": ["namespaces", "nodes", "persistentvolumes"],
  "admissionregistration.k8s.io": [
    "mutatingwebhookconfigurations",
    "validatingwebhookconfigurations",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
  ],
  "apiextensions.k8s.io": ["customresourcedefinitions"],
  "apiregistration.k8s.io": ["apiservices"],
  "authentication.k8s.io": ["tokenreviews"],
  "authorization.k8s.io": ["subjectaccessreviews", "selfsubjectaccessreviews"],
  "certificates.k8s.io": ["certificatesigningrequests", "signers"],
  "rbac.authorization.k8s.io": ["clusterroles", "clusterrolebindings"],
  "storage.k8s.io": ["storageclasses"],
};

interface Definition {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: { readonly plural?: string };
}

/** What rules allow on kinds in no namespace: those of Kubernetes, and those of the components. */
export function clusterScopedRules(
  rules: readonly PolicyRule[],
  components: readonly Component[],
): readonly PolicyRule[] {
  const own = components.filter(isCrd).map(({ spec }) => spec as Definition);
  const isClusterScoped = (group: string, plural: string) =>
    builtIn[group]?.includes(plural) ||
    own.some(
      ({ group: its, scope, names }) =>
        its === group && scope === "Cluster" && names?.plural === plural,
    );
  return rules.flatMap((rule) => {
    if ((rule.resources ?? []).length === 0) return [rule];
    return rule.apiGroups.flatMap((group) => {
      const resources = rule.resources.filter((resource) =>
        isClusterScoped(group, resource.split("/")[0] ?? ""),
      );
      return resources.length > 0 ? [{ ...rule, apiGroups: [group], resources }] : [];
    });
  });
}
