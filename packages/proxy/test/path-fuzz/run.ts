import { createRandom } from "./random.ts";
import { createRequest } from "./requests.ts";
import type { WireAnswer, WireRequest } from "./send.ts";
import { type FuzzedProxy, type FuzzWorld, hidden, marker, otherMarker } from "./world.ts";

export interface Finding {
  readonly why: string;
  readonly proxy: string;
  readonly request: WireRequest;
  readonly answer: string;
  /** How many requests it took. */
  readonly after: number;
}

export interface FuzzReport {
  readonly sent: number;
  readonly answered: number;
  /** Answers that were a success, so that not all was refused for nothing. */
  readonly succeeded: number;
  readonly findings: readonly Finding[];
}

const atOnce = 24;
const batch = 240;

/** Sends so many requests, the same for the same seed, and says what they got that they should not. */
export async function fuzzPaths(
  world: FuzzWorld,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<FuzzReport> {
  const random = createRandom(seed);
  const findings: Finding[] = [];
  let [answered, succeeded] = [0, 0];
  let before = await world.foreignState();
  for (let sent = 0; sent < count; sent += batch) {
    const size = Math.min(batch, count - sent);
    const requests = Array.from({ length: size }, (_, i) => {
      const proxy = world.proxies[(sent + i) % world.proxies.length] ?? world.proxies[0];
      const { renames, narrows } = proxy;
      const options = { renames, readsOnly: !narrows, continueTokens: proxy.continueTokens };
      return { proxy, request: createRequest(random, options), after: sent + i + 1 };
    });
    await inParallel(requests, async ({ proxy, request, after }) => {
      const answer = await proxy.wire.send(request);
      if (answer.status > 0) answered++;
      if (answer.status >= 200 && answer.status < 300) succeeded++;
      const why = leakOf(answer, proxy);
      const text = answer.bytes.toString("latin1").slice(0, 2_000);
      if (why !== undefined)
        findings.push({ why, proxy: proxy.name, request, answer: text, after });
    });
    const now = await world.foreignState();
    const changed = changesOf(before, now);
    before = now;
    // Which of the batch it was, its writes tell.
    if (changed.length > 0) {
      const writes = requests.filter(({ request }) => !/^(?:GET|HEAD)$/.test(request.method));
      const [first] = writes;
      const listed = writes
        .map(({ request: { method, target } }) => `${method} ${target.slice(0, 200)}`)
        .join("\n");
      if (first)
        findings.push({
          ...first,
          proxy: first.proxy.name,
          why: `changed: ${changed.join(", ")}`,
          answer: listed,
        });
    }
  }
  return { sent: count, answered, succeeded, findings };
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const rest = [...items];
  const workers = Array.from({ length: atOnce }, async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  });
  await Promise.all(workers);
}

/** What an answer says that it should not; undefined where all is well. */
export function leakOf(
  { bytes, body }: WireAnswer,
  { renames, narrows }: Pick<FuzzedProxy, "renames" | "narrows">,
): string | undefined {
  const has = (text: string) =>
    spellingsOf(text).some((spelling) => [bytes, body].some((all) => all.includes(spelling)));
  if (narrows && has(marker)) return "an object of another namespace";
  if (renames && has(otherMarker)) return "an object of another instance";
  if (renames && has(hidden.real.replace("tools.", "")))
    return "the name of a group in the cluster";
  return undefined;
}

/**
 * A text as it is, and as it stands in base64 at each of three places. It needs nine bytes at least: what
 * is left of fewer stands in other base64 by chance.
 */
function spellingsOf(text: string): string[] {
  const encoded = [0, 1, 2].map((offset) => {
    const whole = Buffer.from(" ".repeat(offset) + text).toString("base64");
    return whole.slice(offset === 0 ? 0 : 4, -4);
  });
  return [text, ...encoded];
}

export function changesOf(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): string[] {
  const keys = new Set([...before.keys(), ...now.keys()]);
  return [...keys].filter((key) => before.get(key) !== now.get(key));
}

/** One line for each; "" where there is none. */
export function describeFindings(findings: readonly Finding[]): string {
  return findings
    .map(({ why, proxy, request, after }) => {
      const { transport, method, target, headers } = request;
      return `${why}, by ${proxy}, request ${after}: ${transport} ${method} ${target.slice(0, 300)} ${JSON.stringify(headers)}`;
    })
    .join("\n");
}
