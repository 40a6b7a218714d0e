import { defaultProviders, type ProviderIdentity } from "@rookery/components";
import { didYouMean } from "@rookery/kube";
import type { CommandConfig } from "../config/read-config.ts";

/** A problem for each unknown name that is similar to a known one. */
export function unknownProviders(
  chosen: readonly ProviderIdentity[],
  { providers }: Pick<CommandConfig, "providers">,
  present: readonly ProviderIdentity[] = [],
): readonly string[] {
  const known = [...defaultProviders(), ...providers, ...present];
  return chosen.flatMap(({ kind, name }) => {
    const names = known.filter((one) => one.kind === kind).map((one) => one.name);
    const meant = didYouMean(name, names);
    if (meant === "") return [];
    return `nobody knows where ${kind} ${name} is released${meant} "rookery config repositories" lists all that can be named`;
  });
}
