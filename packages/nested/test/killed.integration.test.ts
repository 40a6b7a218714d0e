import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type Client, createClientOver } from "@rookery/client";
import { discardBody, type HttpRequest } from "@rookery/http";
import { waitFor } from "@rookery/testing";
import { newer, older } from "./nested-images.ts";
import { NestedWorld, worldUnavailable } from "./nested-world.ts";
import { resources, type Tenant } from "./tenant.ts";

const skip = await worldUnavailable();
const extraArgs = [{ name: "endpoint-reconciler-type", value: "none" }];
const apiserver = { service: { type: "LoadBalancer" }, extraArgs };

/**
 * A manager that dies at each of its writes, whose answer is lost: whatever it does, the next one finds
 * it half done.
 */
describe("a manager that is killed at every step", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let world: NestedWorld;
  let whole: Tenant;
  let killed: Tenant;
  const upInventory: Record<string, string[]> = {};

  before(async () => {
    world = stack.use(await NestedWorld.start());
    whole = await world.tenant("whole", "tenant");
    killed = await world.tenant("killed", "tenant");
  });
  after(() => stack.disposeAsync());

  const create = (tenant: Tenant) =>
    tenant.create({
      components: {
        apiserver: { ...apiserver, version: older },
        controllerManager: { version: older },
      },
    });
  const upgrade = async (tenant: Tenant) => {
    await tenant.change(resources.apiserver, { version: newer });
    await tenant.change(resources.controllerManager, { version: newer });
  };
  const isUpgraded = async (tenant: Tenant) => {
    await tenant.isUpToDate("apiserver");
    await tenant.isUpToDate("controllerManager");
    await tenant.isUp();
  };

  /** Managers one after another, until what is waited for has come. Returns how many there were. */
  async function dieUntil(done: Promise<unknown>): Promise<number> {
    let isDone = false;
    const ended = done.finally(() => {
      isDone = true;
    });
    let lives = 0;
    for (; !isDone; lives += 1) {
      const { mortal, death } = mortalClient(world.client);
      await using _ = await world.startManager(mortal);
      await Promise.race([death, ended]);
    }
    await ended;
    return lives;
  }

  /** Others take away in their own time: pods that end, and what has lost its owner. */
  async function inventoryBecomes(
    expected: readonly string[] | undefined,
    of = (inventory: string[]) => inventory,
  ): Promise<void> {
    let found: string[] = [];
    await waitFor(
      async () => {
        found = of(await world.inventory("killed"));
        return isDeepStrictEqual(found, expected);
      },
      { what: `only ${expected}`, detail: () => `there is ${found}`, timeout: 300_000 },
    );
  }

  it("makes what one that lives makes", async () => {
    await create(whole);
    {
      await using _ = await world.startManager();
      await whole.isUp();
      upInventory.whole = shapeOf(await world.inventory("whole"));
      await whole.remove();
    }
    await create(killed);
    const lives = await dieUntil(killed.isUp());
    assert.ok(lives > 20, `there were only ${lives} lives`);
    await inventoryBecomes(upInventory.whole, shapeOf);
    assert.match(await killed.kubectl(["version"]), new RegExp(`Server Version: ${older}`));
  });

  it("upgrades to the same", async () => {
    await upgrade(killed);
    const lives = await dieUntil(isUpgraded(killed));
    assert.ok(lives > 2, `there were only ${lives} lives`);
    await inventoryBecomes(upInventory.whole, shapeOf);
    assert.match(await killed.kubectl(["version"]), new RegExp(`Server Version: ${newer}`));
  });

  it("deletes everything", async () => {
    const lives = await dieUntil(killed.remove());
    assert.ok(lives > 5, `there were only ${lives} lives`);
    await inventoryBecomes([]);
  });
});

/** Names without what is chosen by chance, and without what Deployments keep of their past. */
function shapeOf(inventory: readonly string[]): string[] {
  const lasting = inventory.filter(
    (name) => !/^(replicaset|endpointslice|controllerrevision)/.test(name),
  );
  return lasting.map((name) => name.replace(/(-[a-z0-9]{5,10})?-[a-z0-9]{5}$/, "-*")).sort();
}

/** A client that reaches the server until its first write, of which the answer is lost. */
function mortalClient(client: Client): { mortal: Client; death: Promise<void> } {
  const { promise: death, resolve } = Promise.withResolvers<void>();
  let isDead = false;
  const mortal = createClientOver(async (request) => {
    if (isBeside(request)) return client.handler(request);
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

/** Events are written whenever there is time, and nobody goes by them. */
function isBeside({ path }: HttpRequest): boolean {
  return path.includes("/events");
}
