/**
 * Runs `rookery manager core` until the process is asked to end; with `--help`, says what it takes.
 * Loaded when it is called, so that other commands are quick. Errors: FlagsError, and what the
 * configuration or the cluster can't be used for.
 */
export async function runCore(
  args: readonly string[],
  write: (text: string) => void,
): Promise<void> {
  const { main } = await import("./main.ts");
  await main(args, write);
}
