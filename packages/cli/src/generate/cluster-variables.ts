import { tryParseVersion, type Variable, type VariableLookup } from "@rookery/components";
import { validateDns1123Label, validateDns1123Subdomain } from "@rookery/kube";
import { UsageError } from "../errors.ts";

/** What a user says of a new cluster beside its template. */
export interface ClusterFacts {
  readonly name: string;
  readonly namespace: string;
  readonly kubernetesVersion?: string;
  readonly controlPlaneMachineCount?: string;
  readonly workerMachineCount?: string;
}

/** Values that no configuration changes, or only where nothing is said. Errors: UsageError. */
export function clusterVariables(facts: ClusterFacts, lookup: VariableLookup): VariableLookup {
  const { name, namespace, kubernetesVersion } = facts;
  check("--target-namespace", namespace, validateDns1123Label(namespace));
  check("the name of the cluster", name, validateDns1123Subdomain(name));
  if (kubernetesVersion !== undefined && !tryParseVersion(kubernetesVersion)) {
    throw new UsageError(
      `--kubernetes-version "${kubernetesVersion}" is no version; it is written like v1.34.0.`,
    );
  }
  const count = (given: string | undefined, variable: string, least: number) =>
    machineCount(given ?? lookup(variable) ?? `${least}`, variable, least);
  const own: Readonly<Record<string, string>> = {
    NAMESPACE: namespace,
    CLUSTER_NAME: name,
    CONTROL_PLANE_MACHINE_COUNT: count(
      ...([facts.controlPlaneMachineCount, "CONTROL_PLANE_MACHINE_COUNT", 1] as const),
    ),
    WORKER_MACHINE_COUNT: count(facts.workerMachineCount, "WORKER_MACHINE_COUNT", 0),
    ...(kubernetesVersion !== undefined && { KUBERNETES_VERSION: kubernetesVersion }),
  };
  return (variable) => (Object.hasOwn(own, variable) ? own[variable] : lookup(variable));
}

function check(what: string, value: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new UsageError(`${what} "${value}" is not valid: ${problems[0]}`);
}

function machineCount(text: string, variable: string, least: number): string {
  const flag = `--${variable.toLowerCase().replaceAll("_", "-")}`;
  const value = Number(text);
  if (/^[-+]?\d+$/.test(text) && value >= least) return `${value}`;
  throw new UsageError(
    `"${text}" is no number of machines from ${least} on, as ${flag} or ${variable} has to be.`,
  );
}

/**
 * The variables of a cluster's template, and what they have where nobody sets them: of those that the
 * command itself sets, what it sets.
 */
export function withClusterDefaults(
  variables: readonly Variable[],
  facts: Omit<ClusterFacts, "namespace"> & { readonly namespace: string | undefined },
  environment: VariableLookup,
): readonly Variable[] {
  const known: Readonly<Record<string, string | undefined>> = {
    CLUSTER_NAME: facts.name,
    NAMESPACE: facts.namespace ?? "current Namespace in the KubeConfig file",
    CONTROL_PLANE_MACHINE_COUNT:
      facts.controlPlaneMachineCount ?? environment("CONTROL_PLANE_MACHINE_COUNT") ?? "1",
    WORKER_MACHINE_COUNT: facts.workerMachineCount ?? environment("WORKER_MACHINE_COUNT") ?? "0",
    KUBERNETES_VERSION: facts.kubernetesVersion ?? environment("KUBERNETES_VERSION"),
  };
  return variables.map((variable) => {
    const value = Object.hasOwn(known, variable.name) ? known[variable.name] : undefined;
    if (value !== undefined) return { ...variable, default: value };
    return variable.default === undefined
      ? variable
      : { ...variable, default: quoted(variable.default) };
  });
}

function quoted(text: string): string {
  return text.startsWith('"') ? text : JSON.stringify(text);
}
