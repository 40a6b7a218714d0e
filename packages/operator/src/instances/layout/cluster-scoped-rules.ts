import { type Component, isCrd, type PolicyRule } from "@rookery/components";

const read = ["get", "list", "watch"];
/** For an instance's own webhook configurations, into which managers inject their authority. */
const configured = [...read, "patch", "update"];

/** The most that an instance with namespaced rights may do; it does not reach other tenants. */
const builtIn: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "": { namespaces: read, nodes: read, persistentvolumes: read },
  "admissionregistration.k8s.io": {
    mutatingwebhookconfigurations: configured,
    validatingwebhookconfigurations: configured,
  },
  "apiextensions.k8s.io": { customresourcedefinitions: read },
  "apiregistration.k8s.io": { apiservices: read },
  // For authentication and authorization of the metrics endpoint.
  "authentication.k8s.io": { tokenreviews: ["create"] },
  "authorization.k8s.io": {
    subjectaccessreviews: ["create"],
    selfsubjectaccessreviews: ["create"],
  },
  "storage.k8s.io": { storageclasses: read },
};
/** For cluster-scoped kinds of the components: no creation and no deletion. */
const ofOwnKinds = [...read, "patch", "update"];

interface Definition {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: { readonly plural?: string };
}

/** Reduces rules to cluster-scoped kinds, without URLs, wildcards and unknown kinds. */
export function clusterScopedRules(
  rules: readonly PolicyRule[],
  components: readonly Component[],
): readonly PolicyRule[] {
  const own = components.filter(isCrd).map(({ spec }) => spec as Definition);
  const isOwn = (group: string, plural: string) =>
    own.some(
      ({ group: its, scope, names }) =>
        its === group && scope === "Cluster" && names?.plural === plural,
    );
  const neededOn = (group: string, resource: string): readonly string[] =>
    isOwn(group, resource.split("/")[0] ?? "") ? ofOwnKinds : (builtIn[group]?.[resource] ?? []);
  return rules.flatMap((rule) =>
    // Rules for URLs have no groups and resources.
    (rule.apiGroups ?? []).flatMap((group) => {
      const needed = (rule.resources ?? []).map((resource) => {
        const verbs = verbsOf(rule, isForAll(rule, resource) ? read : neededOn(group, resource));
        return { ...rule, apiGroups: [group], resources: [resource], verbs };
      });
      return needed.filter(({ verbs }) => verbs.length > 0);
    }),
  );
}

/** Without names, a rule allows the webhook configurations of all instances. */
function isForAll({ resourceNames = [] }: PolicyRule, resource: string): boolean {
  return resource.endsWith("webhookconfigurations") && resourceNames.length === 0;
}

function verbsOf({ verbs }: PolicyRule, needed: readonly string[]): readonly string[] {
  return verbs.includes("*") ? needed : verbs.filter((verb) => needed.includes(verb));
}
