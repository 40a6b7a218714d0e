import { setupSignalHandler } from "@rookery/runtime";
import { parseProxyFlags, proxyHelp } from "./flags/proxy-flags.ts";
import { createProxy } from "./setup.ts";

/**
 * Runs `rookery proxy` until the process is asked to end; `write` gets the help. Rejects with
 * FlagsError where the arguments are wrong, and as `createProxy` does.
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
