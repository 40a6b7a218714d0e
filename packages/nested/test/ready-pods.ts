import type { Condition, KubeObject } from "@rookery/kube";
import type { NestedWorld } from "./nested-world.ts";

export type Pod = KubeObject<
  unknown,
  { phase?: string; podIP?: string; conditions?: readonly Condition[] }
>;

/** Counts pods that are ready, from when as many were as there should be. */
export class ReadyPods implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #begun = Promise.withResolvers<void>();
  readonly #wanted: number;
  #running: Promise<void> | undefined;
  #fewest: number | undefined;

  static async follow(
    world: NestedWorld,
    { namespace, count }: { readonly namespace: string; readonly count: number },
  ): Promise<ReadyPods> {
    const pods = new ReadyPods(count);
    pods.#running = pods.#follow(world, namespace);
    await Promise.race([pods.#begun.promise, pods.#running]);
    return pods;
  }

  private constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** How many were ready at the worst moment. */
  get fewest(): number | undefined {
    return this.#fewest;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #follow({ kubernetes }: NestedWorld, namespace: string): Promise<void> {
    const { signal } = this.#stop;
    const ready = new Map<string, boolean>();
    const path = `/api/v1/namespaces/${namespace}/pods`;
    try {
      for await (const { type, object } of kubernetes.watch(path, { signal })) {
        ready.set(object.metadata.name ?? "", type !== "DELETED" && isReadyPod(object as Pod));
        this.#note([...ready.values()].filter(Boolean).length);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #note(count: number): void {
    if (count === this.#wanted) this.#begun.resolve();
    if (count === this.#wanted || this.#fewest !== undefined) {
      this.#fewest = Math.min(this.#fewest ?? count, count);
    }
  }
}

export function isReadyPod({ status }: Pod): boolean {
  const { conditions = [] } = status ?? {};
  return conditions.some(({ type, status: is }) => type === "Ready" && is === "True");
}
