import { defaultProviders, type ProviderIdentity } from "@rookery/components";
import { didYouMean } from "@rookery/kube";
import type { CommandConfig } from "../config/read-config.ts";

/** What is wrong with names that nobody knows and that are nearly known ones. */
export function unknownProviders(
  chosen: readonly ProviderIdentity[],
  { providers }: Pick<CommandConfig, "providers">,
  present: readonly ProviderIdentity[] = [],
): readonly string[] {
  const own = providers.map(({ type: kind, name }) => ({ kind, name }));
  const known = [...defaultProviders(), ...own, ...present];
  return chosen.flatMap(({ kind, name }) => {
    const names = known.filter((one) => one.kind === kind).map((one) => one.name);
    const meant = didYouMean(name, names);
    if (meant === "") return [];
    return `nobody knows where ${kind} ${name} is released${meant} "rookery config repositories" lists all that can be named`;
  });
}
