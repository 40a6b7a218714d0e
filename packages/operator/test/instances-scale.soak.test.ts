import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { NestsCluster, nests } from "./nests-cluster.ts";
import { type Begin, overlapsAmong, ReconcileReader, readReconciles } from "./reconcile-log.ts";

const kind = "InfrastructureProvider";
const size = { namespaces: 300, nestsInEach: 10 };
const minutes = (count: number) => count * 60_000;
const [one, two, rest] = ["nests1-system", "nests2-system", "nests3-system"] as const;
const keyOf = (namespace: string) => ({ namespace, name: "nests" });
const teams = Array.from({ length: size.namespaces }, (_, index) => `team${index}`);
const objects = teams.flatMap((team) =>
  Array.from({ length: size.nestsInEach }, (_, index) => ({ team, name: `nest${index}` })),
);
const names = objects.map(({ team, name }) => `${team}/${name}`);
/** What each selects; the last resort has the others. */
type ClaimedNamespaces = Readonly<Record<typeof one | typeof two, readonly string[]>>;
const before100: ClaimedNamespaces = { [one]: teams.slice(0, 100), [two]: teams.slice(100, 200) };
/** 50 of the one go to the other, and 50 of the other to the last resort. */
const after100: ClaimedNamespaces = { [one]: teams.slice(0, 50), [two]: teams.slice(50, 150) };

describe("3 instances with 300 namespaces and 3,000 objects", () => {
  let world: NestsCluster;
  let reader: ReconcileReader;
  /** Who was the last to begin with each object. */
  const last = new Map<string, Begin>();
  const stopLoad = new AbortController();
  let load: Promise<number>;

  before(async () => {
    const args = ["--leader-elect-lease-duration=15s", "--leader-elect-retry-period=1s"];
    world = await NestsCluster.start({ args, patience: minutes(10) });
    reader = await ReconcileReader.open(world.log);
    await inBatches(teams, (team) => world.admin.makeNamespace(team));
    for (const namespace of [one, two, rest]) await world.offer(namespace, "v1.0.0");
  });
  after(async () => {
    stopLoad.abort();
    await load;
    await reader?.[Symbol.asyncDispose]();
    await world?.[Symbol.asyncDispose]();
  });

  const instanceOf = (division: ClaimedNamespaces, team: string) =>
    ([one, two] as const).find((namespace) => division[namespace].includes(team)) ?? rest;
  const isReady = (namespace: string) =>
    world.admin.conditionIs(kind, keyOf(namespace), ["Ready", "Ready"]);

  /** Waits until what was seen last of each object is as it should be; returns all that was seen meanwhile. */
  async function seenOfAll(
    what: string,
    isSo: (begin: Begin) => boolean,
  ): Promise<readonly Begin[]> {
    const seen: Begin[] = [];
    let missing = 0;
    await waitFor(
      async () => {
        const more = await reader.more();
        for (const begin of more) last.set(begin.object, begin);
        seen.push(...more);
        missing = names.filter((object) => {
          const begin = last.get(object);
          return begin === undefined || !isSo(begin);
        }).length;
        return missing === 0;
      },
      { what, detail: () => `${missing} are missing`, timeout: minutes(10), interval: 500 },
    );
    return seen;
  }

  /** Waits until each object is its instance's; from then on, until all had their turn, it is nobody else's. */
  async function isDivided(division: ClaimedNamespaces): Promise<void> {
    const isRight = ({ object, instance }: Begin) =>
      instance === instanceOf(division, object.split("/")[0] ?? "");
    await seenOfAll("each object to be its instance's", isRight);
    const from = process.hrtime.bigint();
    const seen = await seenOfAll("each object to have its turn", ({ begin }) => begin > from);
    assert.deepEqual(
      seen.filter((begin) => !isRight(begin)),
      [],
    );
  }

  /** Changes objects all the time; resolves to how many. */
  async function changeObjects(signal: AbortSignal): Promise<number> {
    const resource = world.cluster.client.resource<KubeObject>(nests);
    let count = 0;
    for (let index = 0; !signal.aborted; index = (index + 7) % objects.length) {
      const { team: namespace = "", name = "" } = objects[index] ?? {};
      const patch = { metadata: { annotations: { count: `${count}` } } };
      await resource.patch({ namespace, name }, { type: "merge", patch });
      count += 1;
    }
    return count;
  }

  it("each object is reconciled by one instance", async () => {
    const { admin } = world;
    const version = "v1.0.0";
    await admin.create(kind, keyOf(one), { version, watch: { namespaces: [...before100[one]] } });
    await isReady(one);
    await admin.create(kind, keyOf(two), { version, watch: { namespaces: [...before100[two]] } });
    await admin.create(kind, keyOf(rest), { version, watch: { rest: true } });
    await isReady(two);
    await isReady(rest);
    await inBatches(objects, ({ team, name }) => world.makeNest(team, name));
    load = changeObjects(stopLoad.signal);
    await isDivided(before100);
  });

  it("100 namespaces move, while one instance is killed", async () => {
    const { admin } = world;
    await admin.change(kind, keyOf(one), { watch: { namespaces: after100[one] } });
    await admin.change(kind, keyOf(two), { watch: { namespaces: after100[two] } });
    await world.kill(rest);
    await isDivided(after100);
    for (const namespace of [one, two, rest]) await isReady(namespace);
  });

  it("all are upgraded", async () => {
    const version = "v1.1.0";
    for (const namespace of [one, two, rest]) await world.offer(namespace, version, ["--v=1"]);
    for (const namespace of [one, two, rest]) {
      await world.admin.change(kind, keyOf(namespace), { version });
    }
    for (const namespace of [one, two, rest]) {
      const { status } = await isReady(namespace);
      assert.equal(status?.installedVersion, version);
    }
    await isDivided(after100);
  });

  it("and at no time were two at one object", async () => {
    stopLoad.abort();
    assert.ok((await load) > 100, "objects changed all the time");
    const reconciles = await readReconciles(world.log);
    const pods = new Set(reconciles.map(({ pod }) => pod));
    assert.ok(pods.size >= 9, `${pods.size} pods`);
    assert.deepEqual(overlapsAmong(reconciles), []);
  });
});

/** Does something with each, some at a time. */
async function inBatches<T>(items: readonly T[], act: (item: T) => Promise<unknown>) {
  for (let start = 0; start < items.length; start += 50) {
    await Promise.all(items.slice(start, start + 50).map(act));
  }
}
