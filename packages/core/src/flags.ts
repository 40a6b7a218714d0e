import {
  concurrencyFlag,
  type FlagTable,
  type FlagValues,
  type ParsedFlags,
  type ProviderFlagValues,
  parseProviderFlags,
  stringFlag,
  webhookFlags,
} from "@rookery/runtime";
import { names } from "./install/names.ts";

/** The flags that the core has beside those of every provider. */
export const coreFlags = {
  ...webhookFlags(names),
  "mutating-webhook-configuration": stringFlag({
    default: names.mutatingConfiguration,
    help: "The MutatingWebhookConfiguration whose authorities are kept up to date.",
  }),
  "cluster-concurrency": concurrencyFlag("Cluster", 10),
  "machine-concurrency": concurrencyFlag("Machine", 10),
  "clusterresourceset-concurrency": concurrencyFlag("ClusterResourceSet", 10),
} as const satisfies FlagTable;

export type CoreFlagValues = ProviderFlagValues & FlagValues<typeof coreFlags>;

/** Reads the command line of the core. Throws a FlagsError that names all problems at once. */
export function parseCoreFlags(args: readonly string[]): ParsedFlags<CoreFlagValues> {
  return parseProviderFlags(args, coreFlags);
}
