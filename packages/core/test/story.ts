import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Condition } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import type { CoreWorld } from "./core-world.ts";
import type { Scene, Snapshot } from "./scene.ts";

/** One thing that somebody does, and what a core has made of it when it is done. */
export interface Step {
  readonly does: string;
  readonly act: (scene: Scene) => Promise<void>;
  /** Whether the core has seen it: until then, what is there says nothing. */
  readonly until: (snapshot: Snapshot) => boolean;
}

export type Story = readonly Step[];

/** A look is a dozen lists, and all stories are told at once: a shorter pause would be most of the load. */
const patience = { timeout: 120_000, interval: 750 };

/** Plays a story in two worlds at once: at each milestone both have to show the same. */
export async function agree(
  story: Story,
  namespace: string,
  worlds: Readonly<Record<"real" | "own", CoreWorld>>,
): Promise<void> {
  const real = await worlds.real.scene(namespace);
  const own = await worlds.own.scene(namespace);
  for (const step of story) {
    await Promise.all([real, own].map((scene) => step.act(scene)));
    let shown: { real: Snapshot; own: Snapshot } | undefined;
    let looks = 0;
    await waitFor(
      async () => {
        looks += 1;
        // The real core does not hear of all machines of a Cluster: it looks when that is touched.
        if (looks % 4 === 0) await Promise.all([real.nudge("c"), own.nudge("c")]);
        shown = { real: await real.snapshot(), own: await own.snapshot() };
        if (!step.until(shown.real) || !step.until(shown.own)) return false;
        return isDeepStrictEqual(shown.own, shown.real);
      },
      { what: `both to agree after: ${step.does}`, ...patience },
    ).catch(() => {
      assert.ok(shown);
      const seen = { real: step.until(shown.real), own: step.until(shown.own) };
      const late = JSON.stringify(seen.own ? shown.real : shown.own);
      assert.deepEqual(seen, { real: true, own: true }, `${step.does}: ${late}`);
      assert.deepEqual(shown.own, shown.real, step.does);
    });
  }
}

/** Plays a story with one core, and shows what there was after each step. */
export async function play(story: Story, scene: Scene): Promise<Snapshot[]> {
  const shown: Snapshot[] = [];
  for (const step of story) {
    await step.act(scene);
    shown.push(await reached(step, scene));
  }
  return shown;
}

/** What there is when a step is done, and nothing more happens. */
async function reached({ does, until }: Step, scene: Scene): Promise<Snapshot> {
  let last: Snapshot | undefined;
  return waitFor(
    async () => {
      const before = last;
      last = await scene.snapshot();
      return until(last) && isDeepStrictEqual(last, before) && last;
    },
    { what: does, ...patience, interval: 1000, detail: () => JSON.stringify(last) },
  );
}

/** The reason of a condition of an object, and its status before it: "True Available". */
export function conditionOf(snapshot: Snapshot, name: string, type: string): string {
  const status = snapshot[name]?.status as { conditions?: readonly Condition[] } | undefined;
  const found = status?.conditions?.find((condition) => condition.type === type);
  return found ? `${found.status} ${found.reason}` : "";
}
