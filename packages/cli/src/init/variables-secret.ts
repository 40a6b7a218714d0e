import {
  contentHash,
  fetchVariables,
  inspectVariables,
  type ProviderIdentity,
  providerLabel,
} from "@rookery/components";
import type { KubeObject } from "@rookery/kube";
import type { CommandConfig } from "../config/read-config.ts";
import type { Release } from "../releases/release-source.ts";
import { suppliedLabel } from "../releases/shipped-release.ts";

interface Secret extends KubeObject {
  readonly stringData: Readonly<Record<string, string>>;
}

/**
 * The Secret with the variables of a provider's components, and, where the operator fetches them, the
 * variables for that. Its name contains a hash of its content, as the operator treats it as immutable.
 * Undefined where there are no values.
 */
export function variablesSecret(
  { identity, release }: { readonly identity: ProviderIdentity; readonly release: Release },
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

/** The problem of a provider whose variables lack values. */
export function missingValues(
  provider: string,
  names: readonly string[],
  { file = "a configuration file (see --config)" }: Pick<CommandConfig, "file">,
): string {
  return `${provider} needs values for ${names.join(", ")}; set them in the environment or in ${file}`;
}
