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
 * Limits connections at the start, when the manager reads a dozen Secrets of each control plane.
 */
const concurrentReads = 8;

export async function main(args: readonly string[], write: (text: string) => void): Promise<void> {
  const flags = parseNestedFlags(args);
  if (flags.help) return write(`${flagsHelp({ ...providerFlags, ...nestedFlags })}\n`);
  const { controllers } = flags;
  const name = controllers.length === 1 ? `rookery-nested-${controllers[0]}` : "rookery-nested";
  const provider = await createProvider({ name, flags, transport: { concurrentReads } });
  const allowances = allowancesOf(flags);
  // Disposed last, because controllers may run until then.
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
