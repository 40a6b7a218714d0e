/**
 * Runs `rookery manager nested` until the process ends. Imports the manager at the call, so that other commands
 * start fast. Errors: FlagsError, and errors of the configuration or the cluster.
 */
export async function runNested(
  args: readonly string[],
  write: (text: string) => void,
): Promise<void> {
  const { main } = await import("./main.ts");
  await main(args, write);
}
