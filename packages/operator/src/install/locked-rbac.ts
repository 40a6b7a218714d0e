import { applierRules, type Component } from "@rookery/components";
import { forNames, leaseRules, type PolicyRule, policyRule } from "@rookery/runtime";
import { definedKinds, ownKindsRole } from "../permissions/own-kinds-role.ts";
import { sealSecretName } from "../state/state-seal.ts";
import type { Installation } from "./installation.ts";
import { componentRules, granted, operationRules } from "./rbac.ts";

/**
 * What the operator may do for some components alone: what is written is named, and nothing can be
 * given to anyone but what they hold. To take the place of the operator's own roles.
 */
export function lockedAccessControl(
  installation: Installation,
  components: readonly Component[],
): readonly object[] {
  const { name, namespace } = installation;
  const { cluster, namespaces } = applierRules(components);
  const places = { [namespace]: [], ...namespaces };
  const homes = homesOf(components);
  return [
    ...granted(installation, {}, [
      ...watchRules(),
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
      ...definedKindRules(components),
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

/** Where providers live, and not only have rights. */
function homesOf(components: readonly Component[]): ReadonlySet<string> {
  const isRight = ({ kind }: Component) => kind === "Role" || kind === "RoleBinding";
  return new Set(
    components
      .filter((component) => !isRight(component))
      .map(({ kind, metadata }) => (kind === "Namespace" ? metadata.name : metadata.namespace))
      .filter((place) => place !== undefined),
  );
}

/** Components are watched wherever they are; their kinds are known before their names. */
function watchRules(): readonly PolicyRule[] {
  return [
    ...componentRules(["list", "watch"]),
    // Whether cert-manager is there, and who uses Cluster API.
    policyRule("apiextensions.k8s.io", ["customresourcedefinitions"], ["get"]),
  ];
}

/** The kinds that components define: objects of them are looked at, and rewritten when a version goes. */
function definedKindRules(components: readonly Component[]): readonly PolicyRule[] {
  return ownKindsRole("", definedKinds(components)).rules ?? [];
}

/** Beside components: what the operator remembers of them, their certificates, their variables. */
const recordRules: readonly PolicyRule[] = [
  policyRule("", ["secrets"], ["create", "get", "update", "patch", "delete"]),
  policyRule("", ["configmaps"], ["get"]),
];

/** Where its pods are: who leads, and the certificate of its webhooks. */
function homeRules(name: string): readonly PolicyRule[] {
  return [
    ...leaseRules(name),
    policyRule("", ["secrets"], ["create"]),
    forNames(policyRule("", ["secrets"], ["get", "update"]), `${name}-cert`, sealSecretName),
  ];
}
