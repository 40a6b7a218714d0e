import { contentHash, fetchVariables, inspectVariables, providerLabel } from "@rookery/components";
import type { KubeObject } from "@rookery/kube";
import type { CommandConfig } from "../config/read-config.ts";
import { suppliedLabel } from "../releases/shipped-release.ts";
import type { PlannedProvider } from "./plan-init.ts";

interface Secret extends KubeObject {
  readonly stringData: Readonly<Record<string, string>>;
}

/**
 * The Secret with the values of the variables that a provider's components use, and with those that
 * say how to fetch where the operator has to. The operator takes it as immutable: its name is that of
 * its content. Undefined where there are no values.
 */
export function variablesSecret(
  { identity, release }: Pick<PlannedProvider, "identity" | "release">,
  namespace: string,
  config: CommandConfig,
): Secret | undefined {
  const names = [
    ...inspectVariables(release.components).map(({ name }) => name),
    ...(release.isLocal ? [] : Object.values(fetchVariables)),
  ];
  const values = [...new Set(names)].sort().flatMap((name) => {
    const value = config.variable(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (values.length === 0) return undefined;
  const stringData = Object.fromEntries(values);
  const label = providerLabel(identity);
  const name = `${label}-variables-${contentHash(stringData).slice(0, 10)}`;
  const metadata = { name, namespace, labels: { [suppliedLabel]: label } };
  return { apiVersion: "v1", kind: "Secret", metadata, stringData };
}
