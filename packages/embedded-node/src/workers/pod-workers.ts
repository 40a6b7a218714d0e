import { join } from "node:path";
import type { BoundPod } from "../pod/pod.ts";
import type { PodRecord } from "../processes/pod-record.ts";
import type { PodAddresses } from "./addresses.ts";
import { PodWorker } from "./pod-worker.ts";
import type { WorkerContext } from "./worker-context.ts";

export interface PodWorkersOptions {
  readonly common: Omit<WorkerContext, "address" | "folder" | "logFolder" | "shared" | "record">;
  readonly addresses: PodAddresses;
  /** Of the node. */
  readonly folder: string;
  readonly records: ReadonlyMap<string, PodRecord>;
}

/** The pods of the node. */
export class PodWorkers {
  readonly #options: PodWorkersOptions;
  readonly #workers = new Map<string, PodWorker>();
  /** Addresses that pods had in a former run; those of another network are given up. */
  readonly #kept = new Map<string, string>();
  #isStopping = false;

  constructor(options: PodWorkersOptions) {
    this.#options = options;
    for (const [uid, { address }] of options.records) {
      if (options.addresses.keep(address)) this.#kept.set(uid, address);
    }
  }

  get(uid: string): PodWorker | undefined {
    return this.#workers.get(uid);
  }

  update(pod: BoundPod): void {
    if (this.#isStopping) return;
    const { uid = "" } = pod.metadata;
    const known = this.#workers.get(uid);
    if (known) known.update(pod);
    else this.#workers.set(uid, this.#create(pod));
  }

  /** The pod is gone from the API. */
  async remove(pod: BoundPod): Promise<void> {
    const { uid = "" } = pod.metadata;
    const worker = this.#workers.get(uid);
    if (!worker || this.#isStopping) return;
    await worker.forget();
    this.#workers.delete(uid);
    this.#options.addresses.release(worker.address);
  }

  /** Gives back the addresses of pods that went away while there was no node. */
  releaseOthers(): void {
    for (const [uid, address] of this.#kept) {
      if (!this.#workers.has(uid)) this.#options.addresses.release(address);
    }
  }

  /** Writes files anew in the pods of a namespace, or in all. */
  async refresh(namespace?: string): Promise<void> {
    const all = [...this.#workers.values()];
    const isMeant = ({ pod }: PodWorker) =>
      namespace === undefined || pod.metadata.namespace === namespace;
    await Promise.all(all.filter(isMeant).map((worker) => worker.refresh()));
  }

  refreshNames(): void {
    for (const worker of this.#workers.values()) worker.refreshNames();
  }

  async shutDown(shutdownMs: number): Promise<void> {
    this.#isStopping = true;
    const all = [...this.#workers.values()];
    await Promise.all(
      all.map((worker) => {
        const grace = worker.pod.spec.terminationGracePeriodSeconds ?? 30;
        return worker.shutDown(Math.min(grace, shutdownMs / 1000));
      }),
    );
  }

  #create(pod: BoundPod): PodWorker {
    const { common, addresses, folder, records } = this.#options;
    const { uid = "", namespace, name } = pod.metadata;
    const record = records.get(uid);
    return new PodWorker(pod, {
      ...common,
      address: this.#kept.get(uid) ?? addresses.take(),
      folder: join(folder, "pods", uid),
      shared: folder,
      logFolder: join(folder, "logs", `${namespace}_${name}_${uid}`),
      record,
    });
  }
}
