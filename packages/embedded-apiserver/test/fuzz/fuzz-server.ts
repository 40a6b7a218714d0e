import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { definitions } from "../conformance/crds.ts";
import { type Subject, subjects } from "./corpus.ts";
import { type FuzzResult, type FuzzTarget, judgeAll } from "./judge.ts";
import { collectionOf, namespace, request } from "./requests.ts";
import { startWholeServer } from "./whole-server.ts";

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
}

const atOnce = 4;
/** Requests are made in parts, so that not all of them are kept in memory. */
const partLength = 500;
/** Longer than any answer may take, which a client would call a hang. */
const patienceMs = 90_000;

/** Sends random requests to a server of its own. The same seed makes the same requests. */
export async function fuzzServer({ seed, requests }: FuzzOptions): Promise<FuzzResult> {
  await using server = await startWholeServer();
  const target: FuzzTarget = { ask: (asked) => orHang(server.ask(asked)) };
  await prepare(target);
  const result: FuzzResult = { answered: {}, problems: [] };
  for (let sent = 0; sent < requests; sent += partLength) {
    const numRuns = Math.min(partLength, requests - sent);
    const part = fc.sample(request, { seed: seed + sent, numRuns });
    await judgeAll(target, { requests: part, atOnce, result });
  }
  result.problems.push(...server.errors.map(String));
  return result;
}

function orHang<T>(answer: Promise<T>): Promise<T> {
  const hang = setTimeout(patienceMs, undefined, { ref: false }).then((): never => {
    throw new Error(`no answer in ${patienceMs} ms`);
  });
  return Promise.race([answer, hang]);
}

/** Makes the namespace, the custom kinds, and objects that changes can change. */
async function prepare(target: FuzzTarget): Promise<void> {
  await create(target, "/api/v1/namespaces", { metadata: { name: namespace } });
  const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  for (const definition of definitions) await create(target, crds, definition);
  await waitUntilServed(target);
  for (const subject of subjects.filter(({ dryRunOnly }) => !dryRunOnly)) {
    for (const name of ["a", "b", "c"]) await createAny(target, subject, name);
  }
}

async function waitUntilServed(target: FuzzTarget): Promise<void> {
  for (const { apiVersion } of subjects) {
    const path = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    for (let status = 0; status !== 200; ) {
      ({ status } = await target.ask({ method: "GET", path, query: "", headers: {} }));
      if (status !== 200) await setTimeout(50);
    }
  }
}

/** The first one that is good. */
async function createAny(target: FuzzTarget, subject: Subject, name: string): Promise<void> {
  const { apiVersion, kind, objects } = subject;
  for (const object of objects.slice(0, 30)) {
    const { metadata } = object as { metadata?: object };
    const body = { ...object, apiVersion, kind, metadata: { ...metadata, name } };
    if ((await create(target, collectionOf(subject, namespace), body)) === 201) return;
  }
}

async function create(target: FuzzTarget, path: string, object: object): Promise<number> {
  const body = { contentType: "application/json", bytes: Buffer.from(JSON.stringify(object)) };
  return (await target.ask({ method: "POST", path, query: "", headers: {}, body })).status;
}
