import assert from "node:assert/strict";
import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { type MoveOptions, move, rollBackMove } from "@rookery/move";
import type { ManagementCluster, ManagementPair } from "./management-cluster.ts";
import { MortalProcess } from "./mortal-client.ts";
import { normalized } from "./normalized.ts";

/** Writes what is moved into a namespace. */
type MakeObjects = (client: Client, namespace: string, name: string) => Promise<void>;

/** What became of a move that was killed, and rolled back. */
type Rollback = "was not killed" | "had nothing to undo" | "was too far" | "was rolled back";

/** How many are killed side by side. */
const atOnce = 6;

/** Moves that are killed after so many requests, the answer to the last of which is lost. */
export class KilledMoves {
  readonly #pair: ManagementPair;
  readonly #make: MakeObjects;
  /** What is at the target after a move, whoever finished it. */
  #whole: unknown;

  constructor(pair: ManagementPair, make: MakeObjects) {
    this.#pair = pair;
    this.#make = make;
  }

  /** Kills a move after each so many requests, and has another process finish it; until one is not killed. */
  async finishEvery(step: number, first = step): Promise<readonly number[]> {
    const killed: number[] = [];
    for (let next = first; ; next += atOnce * step) {
      const numbers = Array.from({ length: atOnce }, (_, index) => next + index * step);
      const ends = await Promise.all(numbers.map((requests) => this.#finish(requests)));
      killed.push(...numbers.filter((_, index) => ends[index]));
      if (ends.includes(false)) return killed;
    }
  }

  /** Kills a move after each so many requests and its rollback too; how many there were of each outcome. */
  async rollBackEvery(step: number, first = step): Promise<Readonly<Record<Rollback, number>>> {
    const all: Rollback[] = [];
    for (let next = first; !all.includes("was not killed"); next += atOnce * step) {
      const numbers = Array.from({ length: atOnce }, (_, index) => next + index * step);
      all.push(...(await Promise.all(numbers.map((requests) => this.#rollBack(requests)))));
    }
    const count = (outcome: Rollback) => all.filter((one) => one === outcome).length;
    return {
      "was not killed": count("was not killed"),
      "had nothing to undo": count("had nothing to undo"),
      "was too far": count("was too far"),
      "was rolled back": count("was rolled back"),
    };
  }

  async #finish(requests: number): Promise<boolean> {
    const namespace = await this.#makeNamespace(`killed-${requests}`);
    const failure = await failureOf(() => move(this.#mortal(namespace, requests)));
    await move(this.#immortal(namespace));
    const { here, there } = await this.#atRest(namespace);
    assert.deepEqual(here, {}, `killed after ${requests} requests`);
    this.#whole ??= there;
    assert.deepEqual(there, this.#whole, `killed after ${requests} requests`);
    return failure !== undefined;
  }

  async #rollBack(requests: number): Promise<Rollback> {
    const namespace = await this.#makeNamespace(`back-${requests}`);
    const before = normalized(await this.#pair.source.dump(namespace));
    const killed = await failureOf(() => move(this.#mortal(namespace, requests)));
    if (!killed) return "was not killed";
    await failureOf(() => rollBackMove(this.#mortal(namespace, 4 + (requests % 17))));
    const failure = await failureOf(() => rollBackMove(this.#immortal(namespace)));
    if (failure && /everything is at the target/.test(failure.message)) {
      await move(this.#immortal(namespace));
      return "was too far";
    }
    if (failure) assert.match(failure.message, /no move in namespace .* is unfinished/);
    const { here, there } = await this.#atRest(namespace);
    // Its last request was the end of the journal, or the rollback that was killed had come to its end.
    if (Object.keys(here).length === 0) return "was too far";
    assert.deepEqual(here, before, `killed after ${requests} requests`);
    assert.deepEqual(there, {}, `killed after ${requests} requests`);
    return failure ? "had nothing to undo" : "was rolled back";
  }

  async #makeNamespace(namespace: string): Promise<string> {
    const { source } = this.#pair;
    await source.makeNamespace(namespace);
    await this.#make(source.client, namespace, "a");
    return namespace;
  }

  #immortal(namespace: string): MoveOptions {
    const { source, target } = this.#pair;
    return { source: source.client, target: target.client, namespace };
  }

  #mortal(namespace: string, requests: number): MoveOptions {
    const process = new MortalProcess(requests);
    const { source, target, ...rest } = this.#immortal(namespace);
    return { ...rest, source: process.clientOf(source), target: process.clientOf(target) };
  }

  /** What there is on both sides: nothing is paused, and no journal is left. */
  async #atRest(namespace: string) {
    const { source, target } = this.#pair;
    const [here, there] = await Promise.all([
      dumpAtRest(source, namespace),
      dumpAtRest(target, namespace),
    ]);
    return { here: normalized(here), there: normalized(there) };
  }
}

/** What a cluster has in a namespace: nothing is paused, and no journal is left. */
export async function dumpAtRest(
  cluster: ManagementCluster,
  namespace: string,
): Promise<Readonly<Record<string, KubeObject>>> {
  const found = await cluster.dump(namespace);
  const paused = Object.keys(found).filter((name) => isPaused(found[name]));
  const journals = Object.keys(found).filter((name) => name.includes("rookery-move"));
  assert.deepEqual({ paused, journals }, { paused: [], journals: [] });
  return found;
}

function isPaused(object: KubeObject | undefined): boolean {
  const { paused } = (object?.spec ?? {}) as { readonly paused?: boolean };
  return paused === true || object?.metadata.annotations?.["cluster.x-k8s.io/paused"] !== undefined;
}

async function failureOf(work: () => Promise<unknown>): Promise<Error | undefined> {
  return work().then(
    () => undefined,
    (error: Error) => error,
  );
}
