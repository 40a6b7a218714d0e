import { applierRules, type Component } from "@rookery/components";
import { forNames, leaseRules, type PolicyRule, policyRule } from "@rookery/runtime";
import { definedKinds, ownKindsRole } from "../permissions/own-kinds-role.ts";
import { sealSecretName } from "../state/state-seal.ts";
import type { Installation } from "./installation.ts";
import { componentRules, granted, operationRules } from "./rbac.ts";

/**
 * Roles for certain components alone, in place of the operator's own roles: writes are limited to their
 * names, and grants to their rights.
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

function homesOf(components: readonly Component[]): ReadonlySet<string> {
  const isRight = ({ kind }: Component) => kind === "Role" || kind === "RoleBinding";
  return new Set(
    components
      .filter((component) => !isRight(component))
      .map(({ kind, metadata }) => (kind === "Namespace" ? metadata.name : metadata.namespace))
      .filter((place) => place !== undefined),
  );
}

/** Components are watched in the whole cluster. */
function watchRules(): readonly PolicyRule[] {
  return [
    ...componentRules(["list", "watch"]),
    // To find cert-manager and users of Cluster API.
    policyRule("apiextensions.k8s.io", ["customresourcedefinitions"], ["get"]),
  ];
}

/** For the kinds that components define, whose objects are read and rewritten in new versions. */
function definedKindRules(components: readonly Component[]): readonly PolicyRule[] {
  return ownKindsRole("", definedKinds(components)).rules ?? [];
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
