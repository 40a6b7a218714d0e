/**
 * Runs `rookery manager operator` until the process is signalled to end. Loads its code on demand, so that
 * other commands start fast. Errors: FlagsError, errors of the configuration and of the cluster.
 */
export async function runOperator(
  args: readonly string[],
  write: (text: string) => void,
): Promise<void> {
  const { main } = await import("./main.ts");
  await main(args, write);
}
