import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@rookery/client";
import type { CommandIo } from "../command.ts";
import { bringUp } from "./bring-up.ts";
import type { Part } from "./part.ts";
import { planeParts } from "./plane.ts";
import { untilImageFails, untilPodsRun } from "./pods.ts";
import { type PartState, type ShownProgress, showProgress } from "./progress.ts";
import { findSimulator, type Simulator } from "./simulator.ts";

export interface ComeUpOptions {
  readonly client: Client;
  readonly image: string;
  /** The time after which parts that are not ready are printed, with the commands to try. */
  readonly waitMs: number;
  /** Ends the start, ready or not. */
  readonly end: AbortSignal;
  readonly since: { readonly moment: number; readonly date: Date };
  /** Whether pods are processes of this machine. */
  readonly isEmbedded: boolean;
  /** Whether it goes on after `waitMs`, until `end`. */
  readonly goesOn: boolean;
  /** The commands to try, which are printed once, whatever is ready by then. */
  readonly summary: (states: readonly PartState[]) => string;
  /** Declares the core of a cluster without one; Rookery's own where absent. */
  readonly newCore?: () => Promise<Part>;
}

/** Shown while pods of the last run have not been started again. */
const podsPart: Part = { name: "pods", what: "restarted", objects: [], ready: [] };

const pauseMs = 250;

/**
 * Applies the plane and prints its progress. The commands to try are printed once all parts are ready,
 * or all but those that this machine still builds for, or at the time limit. Returns the seconds that all
 * parts took; undefined where it was ended before.
 */
export async function comeUp(options: ComeUpOptions, io: CommandIo): Promise<number | undefined> {
  const { end, since, waitMs, goesOn, summary } = options;
  const over = new AbortController();
  const limits = goesOn ? [] : [AbortSignal.timeout(waitMs)];
  const signal = AbortSignal.any([end, over.signal, ...limits]);
  const parts = await untilPlanned(options, signal, io);
  if (!parts) return undefined;
  const progress = showProgress(parts, io, since.moment);
  const seconds = () => (performance.now() - since.moment) / 1000;
  let isPrinted = false;
  const print = (text: string) => {
    progress.settle();
    io.write(`${text}${isPrinted ? "" : summary(progress.states())}`);
    isPrinted = true;
  };
  try {
    let isReady = false;
    const coming = untilReady(parts, { ...options, progress, signal }).then(() => {
      isReady = true;
    });
    while (!isReady) {
      await Promise.race([coming, delay(pauseMs, undefined, { signal })]);
      const why = isPrinted || isReady ? undefined : reasonToPrint(progress, seconds(), waitMs);
      if (why) print(`\n${why}:\n\n${describeRest(progress)}`);
    }
    print(`\nReady after ${seconds().toFixed(1)} s.\n`);
    return seconds();
  } catch (error) {
    if (!signal.aborted) throw error;
    if (!end.aborted) print(`\nNot ready after ${waitMs / 1000} s:\n\n${describeRest(progress)}`);
    return undefined;
  } finally {
    over.abort();
    progress.settle();
  }
}

/** The parts of the plane; undefined where it was ended before the cluster answered. */
async function untilPlanned(
  options: ComeUpOptions,
  signal: AbortSignal,
  io: CommandIo,
): Promise<readonly Part[] | undefined> {
  const { client, image, newCore } = options;
  const simulator = simulatorFor(options, io);
  const reported = new Set<string>();
  const onFailure = (why: string) => {
    if (!reported.has(why)) io.write(`waits  plane: ${why}\n`);
    reported.add(why);
  };
  try {
    return await planeParts({ client, image, newCore, simulator, signal, onFailure });
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}

/** Why the commands to try are printed before all parts are ready. */
function reasonToPrint(
  progress: ShownProgress,
  seconds: number,
  waitMs: number,
): string | undefined {
  if (progress.coming().length > 0 && progress.onlyPrepares()) {
    return `All else is ready after ${seconds.toFixed(1)} s; this follows by itself`;
  }
  if (seconds * 1000 < waitMs) return undefined;
  return `Not ready after ${waitMs / 1000} s, and tried until Ctrl-C`;
}

interface ReadyOptions extends ComeUpOptions {
  readonly progress: ShownProgress;
  readonly signal: AbortSignal;
}

/** Rejects if a node can't get an image. */
async function untilReady(parts: readonly Part[], options: ReadyOptions): Promise<void> {
  const { client, image, progress, signal, since, isEmbedded } = options;
  const bringing = bringUp(parts, { client, progress, signal });
  const namespaces = await namespacesOf(parts);
  if (!isEmbedded) {
    await Promise.race([bringing, untilImageFails(client, { image, namespaces, signal })]);
    return;
  }
  await bringing;
  let hasWaited = false;
  const onWaiting = (why: string) => {
    hasWaited = true;
    progress.report(podsPart, "coming", why);
  };
  await untilPodsRun(client, { namespaces, since: since.date, signal, onWaiting });
  if (hasWaited) progress.report(podsPart, "ready");
}

/** Only a node of processes can run a program that this machine has built. */
function simulatorFor({ isEmbedded, end: signal }: ComeUpOptions, io: CommandIo): Simulator {
  const missing =
    "it is simulated on the embedded Kubernetes alone; see docs/vsphere.md for a real one";
  if (!isEmbedded) return { program: Promise.resolve({ missing }), doing: () => "" };
  let doing = "its program is searched";
  const onStep = (step: string) => {
    doing = step;
  };
  return { program: findSimulator({ env: io.env, signal, onStep }), doing: () => doing };
}

function describeRest(progress: ShownProgress): string {
  const coming = progress.coming();
  return coming.map(({ part, why }) => `  ${part.name} (${part.what}): ${why}\n`).join("");
}

async function namespacesOf(parts: readonly Part[]): Promise<ReadonlySet<string>> {
  const objects = await Promise.all(parts.map(async (part) => part.objects));
  return new Set(objects.flat().flatMap(({ metadata }) => metadata.namespace ?? []));
}
