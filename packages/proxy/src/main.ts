import { setupSignalHandler } from "@rookery/runtime";
import { parseProxyFlags, proxyHelp } from "./flags/proxy-flags.ts";
import { createProxy } from "./setup.ts";

/**
 * Runs `rookery proxy` until the process is asked to stop; `write` gets the help. Rejects with
 * FlagsError, and as `createProxy`.
 */
export async function runProxy(
  args: readonly string[],
  write: (text: string) => void,
): Promise<void> {
  const flags = parseProxyFlags(args);
  if (flags.help) return write(proxyHelp());
  const proxy = await createProxy({ flags });
  await proxy.run(setupSignalHandler());
}
