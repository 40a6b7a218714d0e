import { type Binding, type Component, isBinding, type PolicyRule } from "@rookery/components";
import { type LabelSelector, labelSelectorAsSelector } from "@rookery/kube";
import { rightsFinalizer } from "../namespace-rights.ts";
import { clusterScopedRules } from "./cluster-scoped-rules.ts";
import { configurationNames, ownName, withOwnNames } from "./names.ts";

const group = "rbac.authorization.k8s.io";

interface ClusterRole extends Component {
  readonly rules?: readonly PolicyRule[];
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] };
}

interface ClusterRoleBinding extends Binding {
  readonly roleRef?: { readonly kind?: string; readonly name?: string };
}

/** The shared ClusterRoleBinding, with the accounts of all instances. */
export function withAccounts(component: Component, accounts: readonly string[]): Component {
  if (!isClusterRoleBinding(component)) return component;
  const subjects = (component.subjects ?? []).flatMap((subject) =>
    subject.kind === "ServiceAccount"
      ? accounts.map((namespace) => ({ ...subject, namespace }))
      : [subject],
  );
  return { ...component, subjects };
}

/** RoleBindings to the shared ClusterRole, and a ClusterRole for its cluster-scoped kinds. */
export function namespacedRights(
  components: readonly Component[],
  ownNamespace: string,
  namespaces: readonly string[],
): readonly Component[] {
  const configurations = configurationNames(components);
  return components.filter(isClusterRoleBinding).flatMap((binding) => {
    const { metadata } = binding;
    const name = ownName(metadata.name ?? "", ownNamespace);
    const inEach = namespaces.map((namespace) => ({
      ...binding,
      kind: "RoleBinding",
      metadata: {
        ...metadata,
        name,
        namespace,
        ...(namespace !== ownNamespace && { finalizers: [rightsFinalizer] }),
      },
    }));
    const rules = clusterScopedRules(rulesBehind(binding, components), components).map((rule) =>
      withOwnNames(rule, configurations, [ownNamespace]),
    );
    if (rules.length === 0) return inEach;
    const role = {
      apiVersion: binding.apiVersion,
      kind: "ClusterRole",
      metadata: { ...metadata, name },
      rules,
    };
    const roleRef = { apiGroup: group, kind: "ClusterRole", name };
    return [...inEach, role, { ...binding, metadata: { ...metadata, name }, roleRef }];
  });
}

/** The right to read and label Secrets in the namespace of credentials, if it is not the instance's own. */
export function credentialsRights(
  components: readonly Component[],
  ownNamespace: string,
  namespace: string | undefined,
): readonly Component[] {
  const binding = components.find(isClusterRoleBinding);
  if (!binding || namespace === undefined || namespace === ownNamespace) return [];
  const { apiVersion, subjects } = binding;
  const { labels } = binding.metadata;
  const name = ownName("credentials", ownNamespace);
  const metadata = { name, namespace, ...(labels && { labels }) };
  const verbs = ["get", "list", "watch", "patch"];
  const rules = [{ apiGroups: [""], resources: ["secrets"], verbs }];
  const roleRef = { apiGroup: group, kind: "Role", name };
  return [
    { apiVersion, kind: "Role", metadata, rules },
    { apiVersion, kind: "RoleBinding", metadata, roleRef, subjects: subjects ?? [] },
  ] as readonly Component[];
}

/** The rules of the bound role, and of the roles that it aggregates. */
function rulesBehind(
  { roleRef }: ClusterRoleBinding,
  components: readonly Component[],
): readonly PolicyRule[] {
  const roles = components.filter(({ kind }) => kind === "ClusterRole") as ClusterRole[];
  const bound = roles.find(({ metadata }) => metadata.name === roleRef?.name);
  const selectors = (bound?.aggregationRule?.clusterRoleSelectors ?? []).map((selector) =>
    labelSelectorAsSelector(selector),
  );
  const aggregated = roles.filter(({ metadata }) =>
    selectors.some((selector) => selector.matches(metadata.labels ?? {})),
  );
  return [...(bound?.rules ?? []), ...aggregated.flatMap(({ rules = [] }) => rules)];
}

function isClusterRoleBinding(component: Component): component is ClusterRoleBinding {
  return isBinding(component) && component.kind === "ClusterRoleBinding";
}
