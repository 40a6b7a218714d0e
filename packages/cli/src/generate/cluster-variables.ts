import { tryParseVersion, type Variable, type VariableLookup } from "@rookery/components";
import { validateDns1123Label, validateDns1123Subdomain } from "@rookery/kube";
import { UsageError } from "../errors.ts";

/** The flags that set variables of a cluster's template. */
export interface ClusterFlags {
  readonly kubernetesVersion?: string;
  readonly controlPlaneMachineCount?: string;
  readonly workerMachineCount?: string;
}

export interface ClusterFacts extends ClusterFlags {
  readonly name: string;
  readonly namespace: string;
}

const controlPlaneCount = "CONTROL_PLANE_MACHINE_COUNT";
const workerCount = "WORKER_MACHINE_COUNT";

/** The variables that flags set; the configuration sets all others. Throws UsageError. */
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
    CONTROL_PLANE_MACHINE_COUNT: count(facts.controlPlaneMachineCount, controlPlaneCount, 1),
    WORKER_MACHINE_COUNT: count(facts.workerMachineCount, workerCount, 0),
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

/** The variables of a cluster's template with their defaults, among them the values of flags. */
export function withClusterDefaults(
  variables: readonly Variable[],
  facts: Omit<ClusterFacts, "namespace"> & { readonly namespace: string | undefined },
  environment: VariableLookup,
): readonly Variable[] {
  const known: Readonly<Record<string, string | undefined>> = {
    CLUSTER_NAME: facts.name,
    NAMESPACE: facts.namespace ?? "current Namespace in the KubeConfig file",
    CONTROL_PLANE_MACHINE_COUNT:
      facts.controlPlaneMachineCount ?? environment(controlPlaneCount) ?? "1",
    WORKER_MACHINE_COUNT: facts.workerMachineCount ?? environment(workerCount) ?? "0",
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
