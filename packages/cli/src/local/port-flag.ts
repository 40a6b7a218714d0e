/** Why it did not start, with the flag that is the way out where its port is taken. */
export function withPortFlag(why: string): string {
  if (!why.includes("choose another port")) return why;
  return why.replace(
    /choose another port.*$/s,
    "choose another port by --port, where 0 takes any free one",
  );
}
