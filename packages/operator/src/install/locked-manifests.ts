import {
  applierRules,
  type Component,
  componentKeyOf,
  formatComponentKey,
  guessedKinds,
  inspectVariables,
  lookupIn,
  parseComponents,
  renderComponents,
  replaceVariables,
} from "@rookery/components";
import { forNames, leaseRules, type PolicyRule, policyRule } from "@rookery/runtime";
import { instanceComponents } from "../instances/layout/instance-components.ts";
import { definedKinds, ownKindsRole } from "../permissions/own-kinds-role.ts";
import type { InstanceLayout } from "../state/install-state.ts";
import { sealSecretName } from "../state/state-seal.ts";
import { createInstallation, type Installation } from "./installation.ts";
import { componentRules, granted, operationRules } from "./rbac.ts";
import type { RbacFile, RbacOptions } from "./render.ts";

/** Roles limited to the names and the rights of certain components. */
function lockedAccessControl(
  installation: Installation,
  components: readonly Component[],
): readonly object[] {
  const { name, namespace } = installation;
  const { cluster, namespaces } = applierRules(components);
  const places = { [namespace]: [], ...namespaces };
  const homes = homesOf(components);
  return [
    ...granted(installation, {}, [
      // Components are watched in the whole cluster.
      ...componentRules(["list", "watch"]),
      // To find cert-manager and users of Cluster API.
      policyRule("apiextensions.k8s.io", ["customresourcedefinitions"], ["get"]),
      ...operationRules(),
      forNames(
        policyRule(
          "admissionregistration.k8s.io",
          ["validatingwebhookconfigurations"],
          ["get", "patch"],
        ),
        name,
      ),
      ...cluster,
      // Objects of the components' own kinds are read, and rewritten in new versions.
      ...(ownKindsRole("", definedKinds(components)).rules ?? []),
    ]),
    ...Object.entries(places).flatMap(([place, rules]) =>
      granted(installation, { namespace: place }, [
        ...rules,
        ...(homes.has(place) ? recordRules : []),
        ...(place === namespace ? homeRules(name) : []),
      ]),
    ),
  ];
}

function homesOf(components: readonly Component[]): ReadonlySet<string> {
  const isRight = ({ kind }: Component) => kind === "Role" || kind === "RoleBinding";
  return new Set(
    components
      .filter((component) => !isRight(component))
      .map(({ kind, metadata }) => (kind === "Namespace" ? metadata.name : metadata.namespace))
      .filter((place) => place !== undefined),
  );
}

/** For the operator's records, certificates and variables. */
const recordRules: readonly PolicyRule[] = [
  policyRule("", ["secrets"], ["create", "get", "update", "patch", "delete"]),
  policyRule("", ["configmaps"], ["get"]),
];

/** For the operator's own namespace: leader election, and the certificate of its webhooks. */
function homeRules(name: string): readonly PolicyRule[] {
  return [
    ...leaseRules(name),
    policyRule("", ["secrets"], ["create"]),
    forNames(policyRule("", ["secrets"], ["get", "update"]), `${name}-cert`, sealSecretName),
  ];
}

/** For rendering; roles do not depend on it. */
const any = { provider: { kind: "CoreProvider", name: "any" }, version: "v0.0.0" } as const;

export function lockedManifests(
  files: readonly RbacFile[],
  options: RbacOptions,
): readonly object[] {
  const { namespace, targetNamespace, watchedNamespaces = [], env = {} } = options;
  const installation = createInstallation({ image: "none", ...(namespace && { namespace }) });
  const components = files.flatMap(({ text, instances = [] }) => {
    const file = parseComponents(withoutVariables(text, env));
    if (instances.length === 0) return rendered(file, targetNamespace);
    return instances.flatMap((one) => instanceOf(file, one, { instances, watchedNamespaces }));
  });
  return lockedAccessControl(installation, distinct(components));
}

function rendered(
  components: readonly Component[],
  namespace: string | undefined,
): readonly Component[] {
  const served = guessedKinds(components);
  const given = { ...any, components, served, ...(namespace && { namespace }) };
  return renderComponents(given).components;
}

/** All components that an instance may ever have. */
function instanceOf(
  file: readonly Component[],
  namespace: string,
  {
    instances,
    watchedNamespaces,
  }: Required<Pick<RbacFile & RbacOptions, "instances" | "watchedNamespaces">>,
): readonly Component[] {
  const components = rendered(file, namespace);
  const every = { type: "all" } as const;
  const scope = { type: "namespaces", namespaces: watchedNamespaces } as const;
  const first = { scope: every, by: "flag", first: true, admits: every, accounts: [] } as const;
  const instance = { namespace, name: any.provider.name, label: "", flags: {} };
  const layouts: readonly InstanceLayout[] = [
    { ...first, rbac: "Cluster" },
    // Also while rights are cluster-wide, because the names of roles have the namespaces.
    ...(watchedNamespaces.length > 0 ? instances : []).map(
      (credentials): InstanceLayout => ({ ...first, scope, rbac: "Namespaced", credentials }),
    ),
  ];
  return layouts.flatMap((layout) => instanceComponents(components, layout, instance));
}

function distinct(components: readonly Component[]): readonly Component[] {
  const keyed = components.map((one) => [formatComponentKey(componentKeyOf(one)), one] as const);
  return [...new Map(keyed).values()];
}

/** Variables without a value are replaced by their names; roles rarely depend on them. */
function withoutVariables(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const missing = inspectVariables(text).filter((variable) => variable.default === undefined);
  const standIns = Object.fromEntries(missing.map(({ name }) => [name, name]));
  return replaceVariables(text, lookupIn(env, standIns));
}
