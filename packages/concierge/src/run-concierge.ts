/**
 * Runs `rookery manager concierge` until the process ends. Imports the manager at the call, so that `rookery
 * login` starts fast. Errors: FlagsError, and errors of the configuration or the cluster.
 */
export async function runConcierge(
  args: readonly string[],
  write: (text: string) => void,
): Promise<void> {
  const { main } = await import("./main.ts");
  await main(args, write);
}
