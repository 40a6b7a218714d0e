/** Runs `rookery manager operator` until a signal; loads its code on demand. Errors: FlagsError. */
export async function runOperator(
  args: readonly string[],
  write: (text: string) => void,
): Promise<void> {
  const { main } = await import("./main.ts");
  await main(args, write);
}
