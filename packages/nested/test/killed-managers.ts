import assert from "node:assert/strict";
import { before, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { waitFor } from "@rookery/testing";
import { mortalLife } from "./mortal-client.ts";
import { newer, older } from "./nested-images.ts";
import type { NestedWorld } from "./nested-world.ts";
import { resources, type Tenant } from "./tenant.ts";

const extraArgs = [{ name: "endpoint-reconciler-type", value: "none" }];

/** What a manager that lives has to do as well, so that both can be compared. */
export const olderComponents = {
  apiserver: { version: older, service: { type: "LoadBalancer" }, extraArgs },
  controllerManager: { version: older },
};

export interface KilledManagers {
  world(): NestedWorld;
  /** The objects of a tenant that was never disturbed, as `shapeOf` gives them. */
  undisturbed(): Promise<readonly string[]>;
}

/**
 * Tests of managers that die at their first write, whose answer is lost: whatever there is to do, each
 * step of it is found half done by the next one.
 */
export function itSurvivesDeaths({ world, undisturbed }: KilledManagers): void {
  const namespace = "killed";
  let tenant: Tenant;
  let expected: readonly string[];

  before(async () => {
    tenant = await world().tenant(namespace, "tenant");
    expected = await undisturbed();
  });

  const dieUntil = (done: Promise<unknown>) =>
    managersDieUntil(done, { world: world(), writes: 1 });

  /** Others take away in their own time: pods that end, and what has lost its owner. */
  async function inventoryBecomes(wanted: readonly string[], of = (all: readonly string[]) => all) {
    let found: readonly string[] = [];
    await waitFor(
      async () => {
        found = of(await world().inventory(namespace));
        return isDeepStrictEqual(found, wanted);
      },
      {
        what: `only ${wanted}`,
        detail: () => `there is ${found}`,
        timeout: 300_000,
        interval: 500,
      },
    );
  }

  it("makes what one that lives makes", async (context) => {
    await tenant.create({ components: olderComponents });
    const lives = await dieUntil(tenant.isUp());
    context.diagnostic(`${lives} managers`);
    assert.ok(lives > 20, `there were only ${lives} lives`);
    await inventoryBecomes(expected, shapeOf);
    assert.match(await tenant.kubectl(["version"]), new RegExp(`Server Version: ${older}`));
  });

  it("upgrades to the same", async (context) => {
    await tenant.change(resources.apiserver, { version: newer });
    await tenant.change(resources.controllerManager, { version: newer });
    const isUpgraded = async () => {
      await tenant.isUpToDate("apiserver");
      await tenant.isUpToDate("controllerManager");
      await tenant.isUp();
    };
    const lives = await dieUntil(isUpgraded());
    context.diagnostic(`${lives} managers`);
    assert.ok(lives > 2, `there were only ${lives} lives`);
    await inventoryBecomes(expected, shapeOf);
    assert.match(await tenant.kubectl(["version"]), new RegExp(`Server Version: ${newer}`));
  });

  it("deletes everything", async (context) => {
    const lives = await dieUntil(tenant.remove());
    context.diagnostic(`${lives} managers`);
    assert.ok(lives > 5, `there were only ${lives} lives`);
    await inventoryBecomes([]);
  });
}

/**
 * Managers one after another, each of which dies at one of its writes, until what is waited for has come.
 * Returns how many there were.
 */
export async function managersDieUntil(
  done: Promise<unknown>,
  { world, writes }: { readonly world: NestedWorld; readonly writes: number },
): Promise<number> {
  let isDone = false;
  const ended = done.finally(() => {
    isDone = true;
  });
  let lives = 0;
  for (; !isDone; lives += 1) {
    const { mortal, death } = mortalLife(writes);
    await using _ = await world.startManagers(mortal);
    await Promise.race([death, ended]);
  }
  await ended;
  return lives;
}

/** Names without what is chosen by chance, and without what Deployments keep of their past. */
export function shapeOf(inventory: readonly string[]): string[] {
  const lasting = inventory.filter(
    (name) => !/^(replicaset|endpointslice|controllerrevision)/.test(name),
  );
  return lasting.map((name) => name.replace(/(-[a-z0-9]{5,10})?-[a-z0-9]{5}$/, "-*")).sort();
}
