import { parse } from "yaml";
import type { FuzzAnswer } from "./fuzz-client.ts";
import type { FuzzRequest } from "./requests.ts";

export interface FuzzTarget {
  ask(request: FuzzRequest): Promise<FuzzAnswer>;
}

export interface FuzzResult {
  /** How many answers there were of each status; 0 is for clients that left. */
  readonly answered: Record<string, number>;
  /** What must not be: errors of the server, and requests without an answer. */
  readonly problems: string[];
}

/** Sends requests, so many at once, and adds to the result what became of them. */
export async function judgeAll(
  target: FuzzTarget,
  {
    requests,
    atOnce,
    result,
  }: { requests: readonly FuzzRequest[]; atOnce: number; result: FuzzResult },
): Promise<void> {
  const waiting = [...requests];
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await judge(target, next, result);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function judge(target: FuzzTarget, asked: FuzzRequest, result: FuzzResult): Promise<void> {
  try {
    const { status, text } = await target.ask(asked);
    result.answered[status] = (result.answered[status] ?? 0) + 1;
    if (status === 500 && !isForeseen(text))
      result.problems.push(`${text.trim().slice(0, shown)} to ${describe(asked)}`);
  } catch (error) {
    result.problems.push(`${error} to ${describe(asked)}`);
  }
}

/**
 * To some bad requests kube-apiserver says 500, too, and never with a reason; the conformance suite has
 * such. What the server did not foresee always has one.
 */
export function isForeseen(text: string): boolean {
  try {
    // JSON is YAML, too, in which some ask for answers.
    const answer = parse(text) as { kind?: unknown; reason?: unknown } | null;
    return answer?.kind === "Status" && answer.reason === undefined;
  } catch {
    return false;
  }
}

/** How much of an answer, or of a body, is told. */
const shown = 2000;

function describe({ method, path, query, headers, body, cutAfter }: FuzzRequest): string {
  const sent = body && Buffer.from(body.bytes).toString("latin1").slice(0, shown);
  const cut = cutAfter === undefined ? "" : `cut after ${cutAfter}`;
  return [`${method} ${path}?${query}`, JSON.stringify(headers), body?.contentType, sent, cut].join(
    " ",
  );
}
