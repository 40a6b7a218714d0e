import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startKubernetes } from "@rookery/testing";
import fc from "fast-check";
import { FuzzClient } from "./fuzz-client.ts";
import { fuzzServer } from "./fuzz-server.ts";
import { type FuzzResult, judgeAll } from "./judge.ts";
import { request } from "./requests.ts";

/** The same requests in each run: those that nobody has sent yet are sent in the soak. */
const seed = Number(process.env.ROOKERY_SEED ?? 253951232);

test("requests of any kind are answered, and never by an error that nobody foresaw", async (t) => {
  t.diagnostic(`ROOKERY_SEED=${seed}`);
  const { answered, problems } = await fuzzServer({ seed, requests: 2000 });
  t.diagnostic(`answers by status: ${JSON.stringify(answered)}`);
  assert.deepEqual(problems, [], `with ROOKERY_SEED=${seed}`);
});

test("so are those that come by sockets, where clients leave in the middle", async (t) => {
  t.diagnostic(`ROOKERY_SEED=${seed}`);
  const requests = fc.sample(request, { seed, numRuns: 300 });
  const result: FuzzResult = { answered: {}, problems: [] };
  await using kubernetes = await startKubernetes({ flavour: "embedded", controllerManager: false });
  using client = new FuzzClient(kubernetes, 8);
  const leaving = requests.map((each, i) =>
    each.body && i % 10 === 0 ? { ...each, cutAfter: i } : each,
  );
  await judgeAll(client, { requests: leaving, atOnce: 8, result });
  const alive = { method: "GET", path: "/livez", query: "", headers: {} };
  assert.deepEqual(await client.ask(alive), { status: 200, text: "ok" });
  const log = await readFile(join(kubernetes.logs, "rookery-local-serve.log"), "utf8");
  const complaints = log.split("\n").filter((line) => /^rookery: (?!UnhealthyError)/.test(line));
  assert.deepEqual([...result.problems, ...complaints], [], `with ROOKERY_SEED=${seed}`);
});
