import type { Manifest } from "./manifest.ts";
import { type Container, podSpecOf, updateContainers, updatePodSpec } from "./pods.ts";
import type { UniqueNames } from "./unique-names.ts";

/** The container that clusterctl's contract gives to a provider's controllers. */
const managerName = "manager";
const configurationKinds = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"];

/**
 * Lets the manager of a workload rename its groups itself: it is told so by arguments, and also what
 * its webhook configurations are called in this instance. It needs no proxy.
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
