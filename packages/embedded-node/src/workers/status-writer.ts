import { setTimeout as delay } from "node:timers/promises";
import type { PodStatus } from "@rookery/api";
import type { Client } from "@rookery/client";
import { builtInResources, deepEqual, isConflict, isInvalid, isNotFound } from "@rookery/kube";
import type { BoundPod } from "../pod/pod.ts";

export const pods = builtInResources.pods;

const retryMs = 500;

export interface StatusWriterOptions {
  readonly client: Client;
  readonly current: () => { readonly pod: BoundPod; readonly status: PodStatus };
  /** Called when the API server rejects a status, once for each reason. */
  readonly onRejected: (error: unknown) => void;
}

/** Writes the status of one pod: one write at a time, each of the latest status. */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  #writing: Promise<void> | undefined;
  #again = false;
  #lastRejection = "";
  #isClosed = false;
  #written: PodStatus | undefined;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
  }

  changed(): void {
    if (this.#isClosed) return;
    this.#again = true;
    this.#writing ??= this.#writeAll();
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
    try {
      while (this.#again && !this.#isClosed && (await this.#write()));
    } finally {
      // At once, so that a change that comes now begins to write.
      this.#writing = undefined;
    }
  }

  /** Whether there is still a pod to write of. */
  async #write(): Promise<boolean> {
    this.#again = false;
    const { pod, status } = this.#options.current();
    if (deepEqual(status, this.#written)) return true;
    try {
      await this.#patch(pod, status);
      this.#written = status;
    } catch (error) {
      // The pod is gone, or another one has its name.
      if (isNotFound(error) || isConflict(error)) return false;
      this.#again = true;
      this.#reportRejection(error);
      await delay(retryMs);
    }
    return true;
  }

  #reportRejection(error: unknown): void {
    const message = isInvalid(error) ? String(error) : "";
    if (message === "" || message === this.#lastRejection) return;
    this.#lastRejection = message;
    this.#options.onRejected(error);
  }

  async #patch({ metadata }: BoundPod, status: PodStatus): Promise<void> {
    const { namespace = "", name = "", uid } = metadata;
    const { conditions = [], podIPs, hostIPs } = status;
    const patch = {
      metadata: { uid },
      status: {
        reason: null,
        message: null,
        ...status,
        ...(podIPs && { podIPs: replacing(podIPs) }),
        ...(hostIPs && { hostIPs: replacing(hostIPs) }),
        "$setElementOrder/conditions": conditions.map(({ type }) => ({ type })),
        conditions: conditions.map((one) => ({ reason: null, message: null, ...one })),
      },
    };
    await this.#options.client
      .resource(pods)
      .status.patch({ namespace, name }, { type: "strategic", patch }, { fieldManager: "kubelet" });
  }
}

/** A list that takes the place of the stored one; strategic merge keeps addresses that it does not name. */
function replacing<Item>(items: readonly Item[]): readonly (Item | { $patch: "replace" })[] {
  return [...items, { $patch: "replace" }];
}
