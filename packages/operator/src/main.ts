import {
  createProvider,
  flagsHelp,
  parseProviderFlags,
  providerFlags,
  setupSignalHandler,
} from "@rookery/runtime";
import { operatorFlags, readSettings } from "./flags.ts";
import { operatorName } from "./install/installation.ts";
import { setupOperator } from "./setup.ts";
import { addProviderWebhooks } from "./webhooks/provider.ts";

export async function main(args: readonly string[], write: (text: string) => void): Promise<void> {
  const flags = parseProviderFlags(args, operatorFlags);
  if (flags.help) return write(`${flagsHelp({ ...providerFlags, ...operatorFlags })}\n`);
  const settings = await readSettings(flags, process.env);
  const provider = await createProvider({ name: operatorName, flags });
  const { ownNamespace: namespace } = provider;
  setupOperator(provider, { ...settings, ...(namespace && { namespace }) });
  addProviderWebhooks(provider, operatorName);
  await provider.run(setupSignalHandler());
}
