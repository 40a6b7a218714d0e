import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type Client, createClientOver } from "@rookery/client";
import { discardBody } from "@rookery/http";
import { waitFor } from "@rookery/testing";
import { CoreWorld, startCore } from "./core-world.ts";
import type { Scene, Snapshot } from "./scene.ts";
import { stories } from "./stories.ts";
import { play, type Step, type Story } from "./story.ts";

const told = ["provision", "cluster-with-machines", "apply-once"];

/**
 * A manager that dies at each of its writes, whose answer is lost: whatever it does, the next one finds
 * it half done.
 */
describe("a core that is killed at every step", () => {
  const stack = new AsyncDisposableStack();
  let world: CoreWorld;

  before(async () => {
    world = stack.use(await CoreWorld.start("none"));
  });
  after(() => stack.disposeAsync());

  for (const name of told) {
    it(`ends where one that lives ends: ${name}`, async () => {
      const story = stories[name] ?? [];
      const whole = await world.scene(`whole-${name}`);
      const expected = await playWhole(story, whole);
      const killed = await world.scene(`killed-${name}`);
      let lives = 0;
      for (const [index, step] of story.entries()) {
        await step.act(killed);
        lives += await dieUntil(isReached(step, killed, expected[index] ?? ""));
      }
      assert.ok(lives > 5, `there were only ${lives} lives`);
    });
  }

  async function playWhole(story: Story, scene: Scene): Promise<string[]> {
    await using _ = startCore(world.managerClient);
    return (await play(story, scene)).map((shown) => shapeOf(shown, scene));
  }

  /** Managers one after another, until what is waited for has come. Returns how many there were. */
  async function dieUntil(done: Promise<unknown>): Promise<number> {
    let isDone = false;
    const ended = done.finally(() => {
      isDone = true;
    });
    let lives = 0;
    for (; !isDone; lives += 1) {
      const { mortal, death } = mortalClient(world.managerClient);
      await using _ = startCore(mortal);
      await Promise.race([death, ended]);
    }
    await ended;
    return lives;
  }
});

async function isReached({ does, until }: Step, scene: Scene, expected: string): Promise<void> {
  let shape = "";
  await waitFor(
    async () => {
      const shown = await scene.snapshot();
      shape = shapeOf(shown, scene);
      return until(shown) && isDeepStrictEqual(shape, expected);
    },
    { what: does, timeout: 180_000, interval: 250, detail: () => `${shape}\n${expected}` },
  );
}

const passing = ["observedGeneration", "generation", "hash"];

/**
 * Without the namespace, and without which generation somebody had seen when they said something. Of
 * machines that do not say whether they are up to date, that is said only after ten seconds.
 */
function shapeOf(shown: Snapshot, { namespace }: Scene): string {
  const text = JSON.stringify(shown, (name, value) => {
    if (name !== "conditions") return passing.includes(name) ? undefined : value;
    return value.filter(({ type }: { type: string }) => !type.endsWith("MachinesUpToDate"));
  });
  return text.replaceAll(namespace, "<namespace>");
}

/** A client that reaches the server until its first write, of which the answer is lost. */
function mortalClient(client: Client): { mortal: Client; death: Promise<void> } {
  const { promise: death, resolve } = Promise.withResolvers<void>();
  let isDead = false;
  const mortal = createClientOver(async (request) => {
    // Events are written whenever there is time, and nobody goes by them.
    if (request.path.includes("/events")) return client.handler(request);
    if (isDead) throw new Error("killed");
    if (request.method === "GET") return client.handler(request);
    isDead = true;
    try {
      await discardBody((await client.handler(request)).body);
    } finally {
      resolve();
    }
    throw new Error("killed");
  });
  return { mortal, death };
}
