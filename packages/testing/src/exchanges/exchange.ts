import type { Kubernetes, KubernetesResponse, User, WatchEvent } from "../kubernetes.ts";
import { waitFor } from "../process/wait-for.ts";
import { sendRaw } from "./send-raw.ts";

/** Values from earlier answers of a scenario, by their names. */
// biome-ignore lint/suspicious/noExplicitAny: what a path answers is known to the scenario alone
export type Memory = Readonly<Record<string, any>>;

type Given<T> = T | ((memory: Memory) => T);

/** One request, and what is to be remembered of its answer. "{ns}" is the scenario's namespace. */
export interface Exchange {
  readonly what: string;
  /** GET, or POST where there is a body. */
  readonly method?: string;
  readonly path: Given<string>;
  /** An object is sent as JSON, text as it is. */
  readonly body?: object | string | ((memory: Memory) => unknown);
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of a user with only the rights that the scenario gives; the administrator by default. */
  readonly as?: string;
  /** Collects the events of a watch until the server ends it. Watches in a row go on at the same time. */
  readonly watch?: true;
  readonly keep?: string;
  /** For what controllers do in the background: asks again until the answer is so. */
  readonly until?: (answer: Answer) => boolean;
  /** Only makes ready: its answer is not compared. */
  readonly silent?: true;
  /** Sent as it is, over a connection of its own, instead of a request. */
  readonly raw?: string;
  /** Whether a server may close the connection instead of an answer, which then has status 0. */
  readonly mayClose?: true;
}

/** Exchanges in order, in a namespace of their own. */
export interface Scenario {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

/** The parts of an answer that clients read. */
export interface Answer {
  readonly status: number;
  readonly contentType?: string;
  readonly warnings?: readonly string[];
  readonly body: unknown;
}

/** Plays a scenario on a Kubernetes and gives the answers, in order, as they came. */
export async function play(
  scenario: Scenario,
  kubernetes: Kubernetes,
): Promise<{ readonly answers: readonly Answer[]; readonly namespace: string }> {
  await using namespace = await kubernetes.createNamespace("conformance");
  const players = new Map<string, Promise<User>>();
  const memory: Record<string, unknown> = {};
  const answers: Answer[] = [];
  const stage = { kubernetes, namespace: namespace.name, memory, players };
  for (const together of turnsOf(scenario)) {
    const answered = await Promise.all(together.map((exchange) => askUntil(exchange, stage)));
    for (const [index, { keep }] of together.entries()) {
      if (keep) memory[keep] = answered[index]?.body;
    }
    answers.push(...answered);
  }
  return { answers, namespace: namespace.name };
}

/** Each exchange alone, and watches in a row together: they change nothing, and last for seconds. */
function turnsOf({ exchanges }: Scenario): Exchange[][] {
  const turns: Exchange[][] = [];
  for (const exchange of exchanges) {
    const last = turns.at(-1);
    if (exchange.watch && last?.[0]?.watch) last.push(exchange);
    else turns.push([exchange]);
  }
  return turns;
}

/** The last answer where none is as it is to be: then it differs from that of the other server. */
async function askUntil(exchange: Exchange, stage: Stage): Promise<Answer> {
  const { until, what } = exchange;
  if (!until) return askOnce(exchange, stage);
  let last: Answer | undefined;
  const ask = async () => {
    last = await askOnce(exchange, stage);
    return until(last) ? last : undefined;
  };
  return waitFor(ask, { what, interval: 100 }).catch(
    () => last ?? { status: 0, body: "no answer" },
  );
}

interface Stage {
  readonly kubernetes: Kubernetes;
  readonly namespace: string;
  readonly memory: Memory;
  readonly players: Map<string, Promise<User>>;
}

async function askOnce(exchange: Exchange, stage: Stage): Promise<Answer> {
  const { kubernetes, memory, namespace } = stage;
  const fill = (text: string) => text.replaceAll("{ns}", namespace);
  if (exchange.raw !== undefined) {
    return sendRaw(kubernetes, Buffer.from(fill(exchange.raw), "latin1"));
  }
  const path = fill(typeof exchange.path === "function" ? exchange.path(memory) : exchange.path);
  const given = typeof exchange.body === "function" ? exchange.body(memory) : exchange.body;
  const body =
    given === undefined || given instanceof Uint8Array
      ? given
      : fill(typeof given === "string" ? given : JSON.stringify(given));
  const options = {
    headers: { "user-agent": "conformance", ...filled(exchange.headers ?? {}, fill) },
    contentType: exchange.contentType ?? "application/json",
    ...(body !== undefined && { body: typeof body === "string" ? Buffer.from(body) : body }),
    ...(exchange.as !== undefined && { as: await userOf(fill(exchange.as), stage) }),
  };
  if (exchange.watch) {
    const events: unknown[] = [];
    for await (const event of kubernetes.watch(path, options)) {
      if (!isProgress(event)) events.push(event);
    }
    return { status: 200, body: events };
  }
  const method = exchange.method ?? (body === undefined ? "GET" : "POST");
  const asked = kubernetes.request(method, path, options).then(answerOf);
  if (!exchange.mayClose) return asked;
  return asked.catch((error: Error) => ({ status: 0, body: error.message.replace(/^.*: /, "") }));
}

/** A bookmark of the server's progress, which may come at any time. */
function isProgress({ type, object }: WatchEvent): boolean {
  return type === "BOOKMARK" && object.metadata?.annotations === undefined;
}

function filled(headers: Readonly<Record<string, string>>, fill: (text: string) => string) {
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, fill(value)]));
}

function userOf(name: string, { kubernetes, players }: Stage): Promise<User> {
  const known = players.get(name) ?? kubernetes.user({ name });
  players.set(name, known);
  return known;
}

function answerOf({ status, headers, body }: KubernetesResponse): Answer {
  const { warning, "content-type": contentType } = headers;
  return {
    status,
    ...(contentType !== undefined && { contentType: [contentType].flat().join() }),
    ...(warning !== undefined && { warnings: [warning].flat() }),
    body,
  };
}
