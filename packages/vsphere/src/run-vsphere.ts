/**
 * Runs `rookery manager vsphere` until the process is asked to end; with `--help`, prints its flags. The code is loaded
 * at the call, so that other commands start fast. Errors: FlagsError, and errors of the configuration or the cluster.
 */
export async function runVSphere(
  args: readonly string[],
  write: (text: string) => void,
): Promise<void> {
  const { main } = await import("./main.ts");
  await main(args, write);
}
