import {
  createProvider,
  flagsHelp,
  providerFlags,
  readyWithCaches,
  setupSignalHandler,
} from "@rookery/runtime";
import { allowancesOf, nestedFlags, parseNestedFlags } from "./flags.ts";
import { setupNested, setupNestedWebhooks } from "./setup.ts";

/**
 * When it starts, the manager reads a dozen Secrets of each control plane: with a connection for each
 * that waits, hundreds of tenants would be hundreds of connections.
 */
const concurrentReads = 8;

/** Does what the command line says. */
export async function main(args: readonly string[], write: (text: string) => void): Promise<void> {
  const flags = parseNestedFlags(args);
  if (flags.help) return write(`${flagsHelp({ ...providerFlags, ...nestedFlags })}\n`);
  const { controllers } = flags;
  const name = controllers.length === 1 ? `rookery-nested-${controllers[0]}` : "rookery-nested";
  const provider = await createProvider({ name, flags, transport: { concurrentReads } });
  const allowances = allowancesOf(flags);
  // Let go of last: until then controllers may be at work.
  await using _ = await setupNested(provider, {
    controllers,
    imageRepository: flags.imageRepository,
    rookeryImage: flags.rookeryImage,
    allowances,
    clusterConcurrency: flags.nestedclusterConcurrency,
    controlPlaneConcurrency: flags.nestedcontrolplaneConcurrency,
    componentConcurrency: flags.nestedcomponentConcurrency,
  });
  const { webhookService: service, webhookConfiguration: configuration } = flags;
  setupNestedWebhooks(provider, { service, configuration, controllers, allowances });
  readyWithCaches(provider);
  await provider.run(setupSignalHandler());
}
