import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import {
  type Condition,
  getCondition,
  isConflict,
  type KubeObject,
  parseApiVersion,
} from "@rookery/kube";
import type { Milestone, Part } from "./part.ts";

interface UntilDoneOptions {
  /** Ends the attempts; the promise is then rejected. */
  readonly signal: AbortSignal;
  /** Is called with the reason of each attempt that fails. */
  readonly onFailure: (why: string) => void;
}

const firstPauseMs = 100;
const longestPauseMs = 1_000;

/** Whatever is in the way, such as a kind that is not served yet, may go: it is reported, and tried again. */
export async function untilDone<T>(
  attempt: () => Promise<T>,
  { signal, onFailure }: UntilDoneOptions,
): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      onFailure(messageOf(error));
    }
    await delay(pauseMs, undefined, { signal });
  }
}

const fieldManager = "rookery-start";

/**
 * Applies one object of any kind. What somebody else has set to something else stays as it is: who
 * tries things out must not lose them by the next start.
 */
export async function applyObject(client: Client, object: KubeObject): Promise<KubeObject> {
  const resource = await client.kind<KubeObject>(object);
  try {
    return await resource.apply(object, { fieldManager });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const { namespace, name = "" } = object.metadata;
    return resource.get({ name, ...(namespace !== undefined && { namespace }) });
  }
}

/** Hears how far parts have come. */
export interface Progress {
  /** What a part waits for. */
  waits(part: Part, why: string): void;
  /** What is made for it on this machine first, which others need not wait for. */
  prepares(part: Part, what: string): void;
  ready(part: Part): void;
  /** That it is declared only. */
  missing(part: Part, why: string): void;
}

export interface BringUpOptions {
  readonly client: Client;
  readonly progress: Progress;
  /** Ends it; then what is not ready yet is left as it is. */
  readonly signal: AbortSignal;
}

type Conditioned = KubeObject<unknown, { readonly conditions?: readonly Condition[] }>;

const askMs = 250;

/** Applies all parts at once, each of which waits for what it needs, and resolves when they are there. */
export async function bringUp(parts: readonly Part[], options: BringUpOptions): Promise<void> {
  await Promise.all(parts.map((part) => bringUpPart(part, options)));
}

async function bringUpPart(part: Part, options: BringUpOptions): Promise<void> {
  const objects = await meanwhile(part, part.objects, options);
  for (const object of objects) await untilApplied(part, object, options);
  const missing = await meanwhile(part, part.missing, options);
  if (missing !== undefined) return options.progress.missing(part, missing);
  for (const milestone of part.ready) await untilTrue(part, milestone, options);
  options.progress.ready(part);
}

/** Tells what is made as long as it is not known. */
async function meanwhile<T>(
  part: Part,
  made: T | Promise<T>,
  { progress }: BringUpOptions,
): Promise<T> {
  const tell = () => progress.prepares(part, part.preparing?.() ?? "it is being prepared");
  if (!(made instanceof Promise)) return made;
  tell();
  const timer = setInterval(tell, askMs);
  try {
    return await made;
  } finally {
    clearInterval(timer);
  }
}

async function untilApplied(
  part: Part,
  object: KubeObject,
  { client, progress, signal }: BringUpOptions,
): Promise<void> {
  progress.waits(part, `${describe(object)} is being applied`);
  const onFailure = (why: string) => progress.waits(part, `${describe(object)}: ${why}`);
  await untilDone(() => applyObject(client, object), { signal, onFailure });
}

async function untilTrue(
  part: Part,
  milestone: Milestone,
  { client, progress, signal }: BringUpOptions,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const found = await conditionOf(client, milestone).catch(messageOf);
    if (typeof found === "object" && found.status === "True") return;
    progress.waits(part, `${milestone.kind} ${milestone.name}: ${explain(found)}`);
    await delay(askMs, undefined, { signal });
  }
}

async function conditionOf(client: Client, milestone: Milestone): Promise<Condition | undefined> {
  const { apiVersion, kind, condition, name, namespace } = milestone;
  const resource = await client.mapper.resourceForKind({ ...parseApiVersion(apiVersion), kind });
  const key = { name, ...(namespace !== undefined && { namespace }) };
  const { status } = await client.resource<Conditioned>(resource).get(key);
  return getCondition(status?.conditions, condition);
}

function explain(found: Condition | string | undefined): string {
  if (found === undefined) return "nothing is known of it yet";
  if (typeof found === "string") return found;
  return found.message || found.reason;
}

function describe({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`;
}
