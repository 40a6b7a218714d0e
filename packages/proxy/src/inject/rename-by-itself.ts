import type { Manifest } from "./manifest.ts";
import { type Container, podSpecOf, updateContainers, updatePodSpec } from "./pods.ts";
import type { UniqueNames } from "./unique-names.ts";

/** The container of a provider's controllers by clusterctl's contract. */
const managerName = "manager";
const configurationKinds = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"];

/**
 * Adds arguments by which the manager of a workload renames its groups itself, without a proxy,
 * and changes the names of its webhook configurations.
 */
export function renameByItself(
  manifest: Manifest,
  added: readonly string[],
  names: UniqueNames,
): Manifest {
  if (!podSpecOf(manifest)) return manifest;
  const change = (container: Container): Container => {
    if (container.name !== managerName) return container;
    const args = (container.args ?? []).map((arg) => withOwnName(arg, names));
    return { ...container, args: [...args, ...added] };
  };
  return updatePodSpec(manifest, (spec) => updateContainers(spec, change));
}

/** "--webhook-configuration=a" becomes "--webhook-configuration=a-team1". */
function withOwnName(arg: string, names: UniqueNames): string {
  const start = arg.indexOf("=") + 1;
  const value = arg.slice(start);
  const own = configurationKinds.map((kind) => names.of(kind, value));
  return arg.slice(0, start) + (own.find((name) => name !== value) ?? value);
}
