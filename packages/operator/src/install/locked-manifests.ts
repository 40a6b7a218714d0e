import {
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
import { instanceComponents } from "../instances/layout/instance-components.ts";
import type { InstanceLayout } from "../state/instance-layout.ts";
import { createInstallation } from "./installation.ts";
import { lockedAccessControl } from "./locked-rbac.ts";
import type { RbacFile, RbacOptions } from "./render.ts";

/** For rendering; roles do not depend on it. */
const any = { provider: { kind: "CoreProvider", name: "any" }, version: "v0.0.0" } as const;

/** The roles of `renderOperatorRbac`. */
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

/**
 * All components that an instance may ever have: as the first one, and with credentials in the namespace
 * of any other. Watched namespaces count also while rights are cluster-wide, because they name roles.
 */
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
