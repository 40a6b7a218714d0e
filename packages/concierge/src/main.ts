import { createProvider, flagsHelp, providerFlags, setupSignalHandler } from "@rookery/runtime";
import { conciergeFlags, parseConciergeFlags } from "./flags.ts";
import { conciergeName } from "./names.ts";
import { setupConcierge } from "./setup.ts";

/** Runs the concierge with the flags of the command line. */
export async function main(args: readonly string[], write: (text: string) => void): Promise<void> {
  const flags = parseConciergeFlags(args);
  if (flags.help) return write(`${flagsHelp({ ...providerFlags, ...conciergeFlags })}\n`);
  // The provider renames no groups: Leases, Secrets and reviews have their usual names.
  const provider = await createProvider({
    name: conciergeName,
    flags: { ...flags, apiGroupSuffix: "" },
  });
  setupConcierge(provider, flags);
  await provider.run(setupSignalHandler());
}
