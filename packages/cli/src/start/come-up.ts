import type { Client } from "@rookery/client";
import type { CommandIo } from "../command.ts";
import { bringUp } from "./bring-up.ts";
import { untilImageFails } from "./image-problem.ts";
import type { Part } from "./part.ts";
import { planeParts } from "./plane.ts";
import { type ShownProgress, showProgress } from "./progress.ts";
import { untilPodsRun } from "./settled-pods.ts";
import { findSimulator, type SimulatorProgram } from "./simulator.ts";

export interface ComeUpOptions {
  readonly client: Client;
  /** The image of Rookery. */
  readonly image: string;
  /** How long it may take. */
  readonly waitMs: number;
  /** That it is to end, ready or not. */
  readonly end: AbortSignal;
  readonly since: { readonly moment: number; readonly date: Date };
  /** Whether pods are processes of this machine. */
  readonly isEmbedded: boolean;
  /** The core of a cluster that has none; Rookery's own where absent. */
  readonly newCore?: () => Promise<Part>;
}

/**
 * Brings up the plane and shows how. Resolves to how many seconds it took; to undefined where it was
 * ended before, or where something is not ready in time, of which it has told.
 */
export async function comeUp(options: ComeUpOptions, io: CommandIo): Promise<number | undefined> {
  const { client, image, end, since, waitMs, newCore } = options;
  const over = new AbortController();
  const signal = AbortSignal.any([end, over.signal, AbortSignal.timeout(waitMs)]);
  const parts = await planeParts({ client, image, newCore, simulator: simulatorFor(options, io) });
  const progress = showProgress(parts, io, since.moment);
  try {
    const bringing = bringUp(parts, { client, progress, signal });
    const namespaces = await namespacesOf(parts);
    if (options.isEmbedded) {
      await bringing;
      await untilPodsRun(client, { namespaces, since: since.date, signal });
    } else {
      await Promise.race([bringing, untilImageFails(client, { image, namespaces, signal })]);
    }
    return (performance.now() - since.moment) / 1000;
  } catch (error) {
    if (!signal.aborted) throw error;
    progress[Symbol.dispose]();
    if (!end.aborted) io.write(describeRest(progress, waitMs));
    return undefined;
  } finally {
    over.abort();
    progress[Symbol.dispose]();
  }
}

/** Only a node of processes can run what this machine has built. */
function simulatorFor(options: ComeUpOptions, io: CommandIo): Promise<SimulatorProgram> {
  const { isEmbedded, end: signal } = options;
  const elsewhere =
    "it is simulated on the embedded Kubernetes alone; see docs/vsphere.md for a real one";
  if (!isEmbedded) return Promise.resolve({ missing: elsewhere });
  return findSimulator({ env: io.env, signal });
}

function describeRest(progress: ShownProgress, waitMs: number): string {
  const coming = progress
    .coming()
    .map(({ part, why }) => `  ${part.name} (${part.what}): ${why}\n`);
  if (coming.length === 0) return "";
  return `\nNot ready after ${waitMs / 1000} s, and still tried:\n\n${coming.join("")}`;
}

async function namespacesOf(parts: readonly Part[]): Promise<ReadonlySet<string>> {
  const objects = await Promise.all(parts.map(async (part) => part.objects));
  return new Set(objects.flat().flatMap(({ metadata }) => metadata.namespace ?? []));
}
