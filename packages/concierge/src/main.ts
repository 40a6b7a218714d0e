import { createProvider, flagsHelp, providerFlags, setupSignalHandler } from "@rookery/runtime";
import { conciergeFlags, parseConciergeFlags } from "./flags.ts";
import { conciergeName } from "./names.ts";
import { setupConcierge } from "./setup.ts";

/** Runs the concierge with the flags of the command line. */
export async function main(args: readonly string[], write: (text: string) => void): Promise<void> {
  const flags = parseConciergeFlags(args);
  if (flags.help) return write(`${flagsHelp({ ...providerFlags, ...conciergeFlags })}\n`);
  // The suffix is not the provider's: leases, Secrets and reviews go by the names that they have.
  const provider = await createProvider({
    name: conciergeName,
    flags: { ...flags, apiGroupSuffix: "" },
  });
  setupConcierge(provider, flags);
  await provider.run(setupSignalHandler());
}
