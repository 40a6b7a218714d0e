import {
  inspectVariables,
  lookupIn,
  parseComponents,
  renderComponents,
  replaceVariables,
} from "@rookery/components";
import { createInstallation } from "./installation.ts";
import { lockedAccessControl } from "./locked-rbac.ts";
import type { RbacOptions } from "./render-rbac.ts";

/** Roles depend on neither; rendering wants to know. */
const any = { provider: { kind: "CoreProvider", name: "any" }, version: "v0.0.0" } as const;

/** See `renderOperatorRbac`. */
export function lockedManifests(files: readonly string[], options: RbacOptions): readonly object[] {
  const { namespace, targetNamespace, env = {} } = options;
  const installation = createInstallation({ image: "none", ...(namespace && { namespace }) });
  const components = files.flatMap((text) => {
    const file = parseComponents(withoutVariables(text, env));
    const place = targetNamespace && { namespace: targetNamespace };
    return renderComponents({ ...any, components: file, ...place }).components;
  });
  return lockedAccessControl(installation, components);
}

/** What has no value here stands for itself: roles depend on kinds and names, which rarely have any. */
function withoutVariables(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const missing = inspectVariables(text).filter((variable) => variable.default === undefined);
  const standIns = Object.fromEntries(missing.map(({ name }) => [name, name]));
  return replaceVariables(text, lookupIn(env, standIns));
}
