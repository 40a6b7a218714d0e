import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

type Look = () => Promise<unknown>;

/** How a play looks, told when the other one has come to the same place. */
export type Meet = (look: Look) => Promise<unknown>;

const patienceMs = 60_000;

/**
 * Where two plays of one scene meet. Both are looked at until they are alike: controllers work in
 * their own time, and the slower one is not wrong. What never becomes alike is told as it is.
 */
export function createMeeting(): Meet {
  let other: { readonly look: Look; tell(found: unknown): void } | undefined;
  return async (look) => {
    const first = other;
    if (first === undefined) {
      return new Promise((tell) => {
        other = { look, tell };
      });
    }
    other = undefined;
    const [theirs, ours] = await lookUntilAlike(first.look, look);
    first.tell(theirs);
    return ours;
  };
}

async function lookUntilAlike(...looks: readonly [Look, Look]): Promise<readonly unknown[]> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = await Promise.all(looks.map((look) => look()));
    if (isDeepStrictEqual(found[0], found[1]) || performance.now() > end) return found;
    await sleep(500);
  }
}
