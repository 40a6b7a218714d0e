import {
  createProvider,
  flagsHelp,
  providerFlags,
  readyWithCaches,
  setupSignalHandler,
} from "@rookery/runtime";
import { coreFlags, parseCoreFlags } from "./flags.ts";
import { names } from "./install/names.ts";
import { setupCore, setupCoreWebhooks } from "./setup.ts";

/** Runs the controllers with the flags of the command line. */
export async function main(args: readonly string[], write: (text: string) => void): Promise<void> {
  const flags = parseCoreFlags(args);
  if (flags.help) return write(`${flagsHelp({ ...providerFlags, ...coreFlags })}\n`);
  const provider = await createProvider({ name: names.manager, flags });
  // Disposed of last: until then controllers may use the connections.
  await using _ = setupCore(provider, {
    clusterConcurrency: flags.clusterConcurrency,
    machineConcurrency: flags.machineConcurrency,
    resourceSetConcurrency: flags.clusterresourcesetConcurrency,
  });
  setupCoreWebhooks(provider, {
    service: flags.webhookService,
    configuration: flags.webhookConfiguration,
    mutatingConfiguration: flags.mutatingWebhookConfiguration,
  });
  readyWithCaches(provider);
  await provider.run(setupSignalHandler());
}
