/**
 * Runs `rookery manager core` until the process is asked to end; with `--help`, prints its flags.
 * The controllers are imported by the call, so that other commands start fast. Errors: FlagsError, and errors
 * of the configuration and of the cluster.
 */
export async function runCore(
  args: readonly string[],
  write: (text: string) => void,
): Promise<void> {
  const { main } = await import("./main.ts");
  await main(args, write);
}
