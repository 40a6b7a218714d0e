import assert from "node:assert/strict";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "@rookery/testing";
import { overlapsAmong, type Reconcile, ReconcileReader } from "./reconcile-log.ts";

const reconcile = (pod: string, begin: number, end?: number): Reconcile => ({
  object: "team1/nest",
  instance: "nests",
  pod,
  begin: BigInt(begin),
  end: end === undefined ? undefined : BigInt(end),
});

test("two pods that are at one object at once are found", () => {
  const found = overlapsAmong([
    reconcile("a", 0, 10),
    reconcile("b", 5, 15),
    reconcile("a", 20, 30),
  ]);
  assert.deepEqual(found, ["team1/nest: b began while a was at it"]);
});

test("one after the other is as it should be, and one pod may begin again", () => {
  const apart = [reconcile("a", 0, 10), reconcile("b", 10, 15), reconcile("b", 12, 20)];
  assert.deepEqual(overlapsAmong(apart), []);
  const other = { ...reconcile("b", 5, 15), object: "team2/nest" };
  assert.deepEqual(overlapsAmong([reconcile("a", 0, 10), other]), []);
});

test("a file that grows is read in parts, each line once and whole", async () => {
  await using folder = await createTemporaryFolder("reconcile-log");
  const file = join(folder.path, "reconciles");
  await using reader = await ReconcileReader.open(file);
  assert.deepEqual(await reader.more(), []);
  const line = (at: string, object: string) =>
    `${JSON.stringify({ at, object, pod: "p", instance: "i", time: "7" })}\n`;
  const next = line("begin", "a/two");
  await appendFile(file, line("begin", "a/one") + line("end", "a/one") + next.slice(0, 9));
  assert.deepEqual(await reader.more(), [{ object: "a/one", instance: "i", begin: 7n }]);
  await appendFile(file, next.slice(9));
  assert.deepEqual(await reader.more(), [{ object: "a/two", instance: "i", begin: 7n }]);
});
