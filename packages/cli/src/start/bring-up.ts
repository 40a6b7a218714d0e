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

/** Repeats a failing attempt, as the reason, such as a kind that is not served yet, may pass. */
export async function untilDone<T>(
  attempt: () => Promise<T>,
  { signal, onFailure }: UntilDoneOptions,
): Promise<T> {
  for (let ms = firstPauseMs; ; ms = Math.min(ms * 1.5, longestPauseMs)) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      onFailure(messageOf(error));
    }
    await delay(ms, undefined, { signal });
  }
}

const fieldManager = "rookery-start";

/**
 * Applies one object of any kind. After a conflict it stays unchanged, so that a start does not undo the
 * user's changes.
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

/** "missing" is a part that is only declared, as this machine lacks a program for it. */
export type Readiness = "coming" | "preparing" | "ready" | "missing";

export interface Progress {
  /** Reports the state of a part, and what it waits for or lacks. */
  report(part: Part, is: Readiness, why?: string): void;
}

export interface BringUpOptions {
  readonly client: Client;
  readonly progress: Progress;
  /** Ends the attempts; parts that are not ready stay as they are. */
  readonly signal: AbortSignal;
}

type Conditioned = KubeObject<unknown, { readonly conditions?: readonly Condition[] }>;

const pauseMs = 250;

/** Applies all parts concurrently, each after its dependencies, and resolves when all are ready. */
export async function bringUp(parts: readonly Part[], options: BringUpOptions): Promise<void> {
  await Promise.all(parts.map((part) => bringUpPart(part, options)));
}

async function bringUpPart(part: Part, options: BringUpOptions): Promise<void> {
  const objects = await prepared(part, part.objects, options);
  for (const object of objects) await untilApplied(part, object, options);
  const missing = await prepared(part, part.missing, options);
  if (missing !== undefined) return options.progress.report(part, "missing", missing);
  for (const milestone of part.ready) await untilTrue(part, milestone, options);
  options.progress.report(part, "ready");
}

/** Reports the preparation of a part until its value is known. */
async function prepared<T>(
  part: Part,
  value: T | Promise<T>,
  { progress }: BringUpOptions,
): Promise<T> {
  if (!(value instanceof Promise)) return value;
  const report = () =>
    progress.report(part, "preparing", part.preparing?.() ?? "it is being prepared");
  report();
  const timer = setInterval(report, pauseMs);
  try {
    return await value;
  } finally {
    clearInterval(timer);
  }
}

async function untilApplied(
  part: Part,
  object: KubeObject,
  { client, progress, signal }: BringUpOptions,
): Promise<void> {
  const name = `${object.kind} ${object.metadata.name}`;
  progress.report(part, "coming", `${name} is being applied`);
  const onFailure = (why: string) => progress.report(part, "coming", `${name}: ${why}`);
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
    progress.report(part, "coming", `${milestone.kind} ${milestone.name}: ${explain(found)}`);
    await delay(pauseMs, undefined, { signal });
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
