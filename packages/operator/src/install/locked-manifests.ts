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
import type { RbacFile, RbacOptions } from "./render-rbac.ts";

/** Roles depend on neither; rendering wants to know. */
const any = { provider: { kind: "CoreProvider", name: "any" }, version: "v0.0.0" } as const;

/** See `renderOperatorRbac`. */
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
 * All that an instance may come to have: any may be the first one day, or have credentials where another
 * one lives. Watched namespaces name roles, so that they count although rights are cluster-wide now.
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
  const isFiner = watchedNamespaces.length > 0;
  const layouts: readonly InstanceLayout[] = [
    { ...first, rbac: "Cluster" },
    ...(isFiner
      ? instances.map((credentials): InstanceLayout => {
          return { ...first, scope, rbac: "Namespaced", credentials };
        })
      : []),
  ];
  return layouts.flatMap((layout) => instanceComponents(components, layout, instance));
}

/** What several instances share, or have alike, counts once. */
function distinct(components: readonly Component[]): readonly Component[] {
  const keyed = components.map((one) => [formatComponentKey(componentKeyOf(one)), one] as const);
  return [...new Map(keyed).values()];
}

/** What has no value here stands for itself: roles depend on kinds and names, which rarely have any. */
function withoutVariables(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const missing = inspectVariables(text).filter((variable) => variable.default === undefined);
  const standIns = Object.fromEntries(missing.map(({ name }) => [name, name]));
  return replaceVariables(text, lookupIn(env, standIns));
}
