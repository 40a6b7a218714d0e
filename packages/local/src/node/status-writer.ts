import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@rookery/client";
import { deepEqual, isConflict, isNotFound } from "@rookery/kube";
import { builtIn } from "../controllers/resources.ts";
import type { PodStatus } from "../generated/api-types.ts";
import type { BoundPod } from "./pod.ts";

export const pods = builtIn("", "Pod", "Namespaced");

const retryMs = 500;

/** Writes the status of one pod: one write at a time, each of what is true by then. */
export class StatusWriter {
  readonly #client: Client;
  readonly #current: () => { readonly pod: BoundPod; readonly status: PodStatus };
  #writing: Promise<void> | undefined;
  #again = false;
  #isClosed = false;
  #written: PodStatus | undefined;

  constructor(
    client: Client,
    current: () => { readonly pod: BoundPod; readonly status: PodStatus },
  ) {
    this.#client = client;
    this.#current = current;
  }

  changed(): void {
    if (this.#isClosed) return;
    this.#again = true;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when all is written. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Writes nothing any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
  }

  async #writeAll(): Promise<void> {
    // What changes in one go is written in one go.
    await delay(0);
    while (this.#again && !this.#isClosed) {
      this.#again = false;
      const { pod, status } = this.#current();
      if (deepEqual(status, this.#written)) continue;
      try {
        await this.#patch(pod, status);
        this.#written = status;
      } catch (error) {
        // It is gone, or another one of its name has come.
        if (isNotFound(error) || isConflict(error)) return;
        this.#again = true;
        await delay(retryMs);
      }
    }
  }

  async #patch({ metadata }: BoundPod, status: PodStatus): Promise<void> {
    const { namespace = "", name = "", uid } = metadata;
    const { conditions = [] } = status;
    const patch = {
      metadata: { uid },
      status: {
        reason: null,
        message: null,
        ...status,
        "$setElementOrder/conditions": conditions.map(({ type }) => ({ type })),
        conditions: conditions.map((one) => ({ reason: null, message: null, ...one })),
      },
    };
    await this.#client
      .resource(pods)
      .status.patch({ namespace, name }, { type: "strategic", patch }, { fieldManager: "kubelet" });
  }
}
