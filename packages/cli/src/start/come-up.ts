import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@rookery/client";
import type { CommandIo } from "../command.ts";
import { bringUp } from "./bring-up.ts";
import { untilImageFails } from "./image-problem.ts";
import type { Part } from "./part.ts";
import { planeParts } from "./plane.ts";
import { type PartState, type ShownProgress, showProgress } from "./progress.ts";
import { untilPodsRun } from "./settled-pods.ts";
import { findSimulator, type Simulator } from "./simulator.ts";

export interface ComeUpOptions {
  readonly client: Client;
  /** The image of Rookery. */
  readonly image: string;
  /** After how long it is told what is not ready, with what to try. */
  readonly waitMs: number;
  /** That it is to end, ready or not. */
  readonly end: AbortSignal;
  readonly since: { readonly moment: number; readonly date: Date };
  /** Whether pods are processes of this machine. */
  readonly isEmbedded: boolean;
  /** Whether it goes on after `waitMs`, until it is to end. */
  readonly goesOn: boolean;
  /** What to try, which is printed once, whatever is ready by then. */
  readonly summary: (states: readonly PartState[]) => string;
  /** The core of a cluster that has none; Rookery's own where absent. */
  readonly newCore?: () => Promise<Part>;
}

/** Shown where all parts are ready and pods of the last run are not begun anew yet. */
const podsPart: Part = { name: "pods", what: "begun anew", objects: [], ready: [] };

const lookMs = 250;

/**
 * Brings up the plane and shows how, and what to try: once all is ready, or all but what this machine
 * still builds, or the time is over. Resolves to how many seconds all of it took; to undefined where it
 * was ended before that.
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
  let isTold = false;
  const tell = (text: string) => {
    progress.settle();
    io.write(`${text}${isTold ? "" : summary(progress.states())}`);
    isTold = true;
  };
  try {
    let isReady = false;
    const coming = untilReady(parts, { ...options, progress, signal }).then(() => {
      isReady = true;
    });
    while (!isReady) {
      await Promise.race([coming, delay(lookMs, undefined, { signal })]);
      const why = isTold || isReady ? undefined : whyToTell(progress, seconds(), waitMs);
      if (why) tell(`\n${why}:\n\n${describeRest(progress)}`);
    }
    tell(`\nReady after ${seconds().toFixed(1)} s.\n`);
    return seconds();
  } catch (error) {
    if (!signal.aborted) throw error;
    if (!end.aborted) tell(`\nNot ready after ${waitMs / 1000} s:\n\n${describeRest(progress)}`);
    return undefined;
  } finally {
    over.abort();
    progress.settle();
  }
}

/** The parts of the plane; undefined where it was to end before the cluster answered. */
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

/** Who waits is told what to try before all is ready, where the rest may take long. */
function whyToTell(progress: ShownProgress, seconds: number, waitMs: number): string | undefined {
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

/** Rejects where an image can't be had. */
async function untilReady(parts: readonly Part[], options: ReadyOptions): Promise<void> {
  const { client, image, progress, signal, since, isEmbedded } = options;
  const bringing = bringUp(parts, { client, progress, signal });
  const namespaces = await namespacesOf(parts);
  if (!isEmbedded) {
    await Promise.race([bringing, untilImageFails(client, { image, namespaces, signal })]);
    return;
  }
  await bringing;
  let isWaiting = false;
  const tell = (why: string) => {
    isWaiting = true;
    progress.waits(podsPart, why);
  };
  await untilPodsRun(client, { namespaces, since: since.date, signal, tell });
  if (isWaiting) progress.ready(podsPart);
}

/** Only a node of processes can run what this machine has built. */
function simulatorFor({ isEmbedded, end: signal }: ComeUpOptions, io: CommandIo): Simulator {
  const missing =
    "it is simulated on the embedded Kubernetes alone; see docs/vsphere.md for a real one";
  if (!isEmbedded) return { program: Promise.resolve({ missing }), doing: () => "" };
  let doing = "its program is looked for";
  const tell = (what: string) => {
    doing = what;
  };
  return { program: findSimulator({ env: io.env, signal, tell }), doing: () => doing };
}

function describeRest(progress: ShownProgress): string {
  const coming = progress.coming();
  return coming.map(({ part, why }) => `  ${part.name} (${part.what}): ${why}\n`).join("");
}

async function namespacesOf(parts: readonly Part[]): Promise<ReadonlySet<string>> {
  const objects = await Promise.all(parts.map(async (part) => part.objects));
  return new Set(objects.flat().flatMap(({ metadata }) => metadata.namespace ?? []));
}
