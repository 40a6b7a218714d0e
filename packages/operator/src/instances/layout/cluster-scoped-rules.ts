import { type Component, isCrd, type PolicyRule } from "@rookery/components";

const read = ["get", "list", "watch"];
/** What an instance may do with its own webhook configurations: managers put their authority there. */
const configured = [...read, "patch", "update"];

/**
 * What an instance with rights in its namespaces alone may do with kinds of Kubernetes in no namespace,
 * whatever its ClusterRole allows: nothing by which it could reach other tenants.
 */
const builtIn: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "": { namespaces: read, nodes: read, persistentvolumes: read },
  "admissionregistration.k8s.io": {
    mutatingwebhookconfigurations: configured,
    validatingwebhookconfigurations: configured,
  },
  "apiextensions.k8s.io": { customresourcedefinitions: read },
  "apiregistration.k8s.io": { apiservices: read },
  // Metrics are for those whom the API server knows and lets read them.
  "authentication.k8s.io": { tokenreviews: ["create"] },
  "authorization.k8s.io": {
    subjectaccessreviews: ["create"],
    selfsubjectaccessreviews: ["create"],
  },
  "storage.k8s.io": { storageclasses: read },
};
/** Of the kinds of the components: none of them is made, taken away or replaced for all tenants. */
const ofOwnKinds = [...read, "patch", "update"];

interface Definition {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: { readonly plural?: string };
}

/**
 * What rules allow on kinds in no namespace, as far as an instance needs it: those of Kubernetes, and
 * those of the components. URLs, wildcards and what is not known are left out.
 */
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
    // Rules for URLs have neither.
    (rule.apiGroups ?? []).flatMap((group) => {
      const needed = (rule.resources ?? []).map((resource) => {
        const verbs = verbsOf(
          rule,
          isEverybodys(rule, resource) ? read : neededOn(group, resource),
        );
        return { ...rule, apiGroups: [group], resources: [resource], verbs };
      });
      return needed.filter(({ verbs }) => verbs.length > 0);
    }),
  );
}

/** Webhook configurations are written by name: without one, they are those of all. */
function isEverybodys({ resourceNames = [] }: PolicyRule, resource: string): boolean {
  return resource.endsWith("webhookconfigurations") && resourceNames.length === 0;
}

function verbsOf({ verbs }: PolicyRule, needed: readonly string[]): readonly string[] {
  return verbs.includes("*") ? needed : verbs.filter((verb) => needed.includes(verb));
}
