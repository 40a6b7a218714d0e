import type { BuiltInCustomResourceDefinition } from "@rookery/api";
import type { Timers } from "@rookery/apiserver";
import type { StoreSubscription } from "@rookery/kube";
import {
  type CrdCondition,
  cleanupFinalizer,
  isCrdConditionTrue,
  setCrdCondition,
} from "../kinds/apiextensions/conditions.ts";
import type { SystemWriter } from "../registry/system-writer.ts";
import { acceptNames, approvalCondition, establishedCondition } from "./accept-names.ts";
import { type Crd, crdResource, groupOf } from "./crd.ts";
import type { CustomResourceContext } from "./custom-resource.ts";
import { deleteInstances, instancesOf } from "./delete-instances.ts";

export interface CrdControllerOptions extends CustomResourceContext {
  readonly writer: SystemWriter<Crd>;
  readonly timers: Timers;
  /** Serves the stored CRDs. Called before a condition says that a CRD is served. */
  readonly refresh: () => void;
  readonly onError: (error: unknown) => void;
}

/** The time after which a condition reports remaining objects of a deleted CRD. */
const reportAfterMs = 60_000;

/** Reconciles CRDs, one at a time: names, conditions, finalization. Level-based. */
export class CrdController implements AsyncDisposable {
  readonly #options: CrdControllerOptions;
  readonly #queue = new Set<string>();
  readonly #waiting = new Map<string, { close(): void }>();
  readonly #subscription: StoreSubscription;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: CrdControllerOptions) {
    this.#options = options;
    const { store } = options;
    for (const { name } of store.list(crdResource).entries) this.#enqueue(name);
    this.#subscription = store.watch(crdResource, store.revision, ({ entry, previous }) => {
      const name = entry?.name ?? previous?.name ?? "";
      this.#enqueue(name);
      if (entry || !previous) return;
      // The names are free now for other CRDs.
      this.#enqueueOthers(groupOf(previous.object as Crd), name);
    });
  }

  /** Resolves when the queue is empty. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    this.#subscription.close();
    for (const wait of this.#waiting.values()) wait.close();
    this.#queue.clear();
    await this.#running;
  }

  #enqueue(name: string): void {
    if (this.#isStopped) return;
    this.#queue.add(name);
    if (!this.#running) this.#start();
  }

  #start(): void {
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.#queue.size > 0) this.#start();
    });
  }

  async #run(): Promise<void> {
    // Changes during a listener are reconciled after it.
    await undefined;
    for (const name of this.#queue) {
      this.#queue.delete(name);
      await this.#reconcile(name).catch(this.#options.onError);
    }
  }

  async #reconcile(name: string): Promise<void> {
    const crd = this.#options.writer.find(name);
    this.#options.refresh();
    if (!crd) return this.#stopWaiting(name);
    await this.#decideNames(crd);
    await this.#setCondition(name, approvalCondition);
    this.#options.refresh();
    await this.#setCondition(name, establishedCondition);
    await this.#finalize(name);
  }

  async #decideNames(crd: Crd): Promise<void> {
    const { writer, now } = this.#options;
    const name = crd.metadata.name ?? "";
    if (!acceptNames(crd, writer.all())) return;
    await writer.update(name, (copy) => {
      const outcome = acceptNames(copy as unknown as Crd, writer.all());
      if (!outcome) return;
      copy.status = { ...copy.status, acceptedNames: outcome.acceptedNames };
      for (const condition of outcome.conditions) setCrdCondition(copy, condition, now);
    });
    // The CRD may have released a name.
    this.#enqueueOthers(groupOf(crd), name);
  }

  #enqueueOthers(group: string, name: string): void {
    for (const other of this.#options.writer.all()) {
      const { name: otherName = "" } = other.metadata;
      const isWaiting = !isCrdConditionTrue(other, "NamesAccepted");
      if (groupOf(other) === group && otherName !== name && isWaiting) this.#enqueue(otherName);
    }
  }

  async #setCondition(
    name: string,
    conditionOf: (crd: Crd) => CrdCondition | undefined,
  ): Promise<void> {
    const { writer, now } = this.#options;
    const crd = writer.find(name);
    if (!crd || !conditionOf(crd)) return;
    await writer.update(name, (copy) => {
      const condition = conditionOf(copy as unknown as Crd);
      if (condition) setCrdCondition(copy, condition, now);
    });
  }

  async #finalize(name: string): Promise<void> {
    const { writer, store } = this.#options;
    const crd = writer.find(name);
    if (!crd || !needsFinalization(crd)) return;
    if (!isCrdConditionTrue(crd, "Established")) {
      return this.#release(name, neverEstablished);
    }
    if (!this.#waiting.has(name)) await this.#terminating(name, inProgress);
    await deleteInstances(crd, this.#options);
    if (store.list(instancesOf(crd)).entries.length > 0) return this.#waitFor(crd);
    await this.#release(name, completed);
  }

  #terminating(name: string, condition: Terminating): Promise<Crd | undefined> {
    const { writer, now } = this.#options;
    return writer.update(name, (copy) =>
      setCrdCondition(copy, { type: "Terminating", ...condition }, now),
    );
  }

  /** Reconciles again when an object is deleted, and reports a long wait. */
  #waitFor(crd: Crd): void {
    const name = crd.metadata.name ?? "";
    if (this.#waiting.has(name)) return;
    const { store, timers } = this.#options;
    const subscription = store.watch(instancesOf(crd), store.revision, ({ entry }) => {
      if (!entry) this.#enqueue(name);
    });
    const timer = timers.setTimer(() => {
      this.#terminating(name, instancesRemaining).catch(this.#options.onError);
    }, reportAfterMs);
    this.#waiting.set(name, {
      close() {
        subscription.close();
        timer.stop();
      },
    });
  }

  #stopWaiting(name: string): void {
    this.#waiting.get(name)?.close();
    this.#waiting.delete(name);
  }

  async #release(name: string, condition: Terminating): Promise<void> {
    const { writer, now } = this.#options;
    this.#stopWaiting(name);
    await writer.update(name, (copy) => {
      setCrdCondition(copy, { type: "Terminating", ...condition }, now);
      withoutCleanup(copy);
    });
  }
}

type Terminating = Omit<CrdCondition, "type">;

const inProgress: Terminating = {
  status: "True",
  reason: "InstanceDeletionInProgress",
  message: "CustomResource deletion is in progress",
};
const instancesRemaining: Terminating = {
  status: "True",
  reason: "InstanceDeletionCheck",
  message: "could not confirm zero CustomResources remaining: timed out waiting for the condition",
};
const completed: Terminating = {
  status: "False",
  reason: "InstanceDeletionCompleted",
  message: "removed all instances",
};
const neverEstablished: Terminating = {
  status: "False",
  reason: "NeverEstablished",
  message: "resource was never established",
};

function needsFinalization({ metadata }: Crd): boolean {
  const { deletionTimestamp, finalizers = [] } = metadata;
  return deletionTimestamp !== undefined && finalizers.includes(cleanupFinalizer);
}

function withoutCleanup({ metadata }: BuiltInCustomResourceDefinition): void {
  if (!metadata) return;
  metadata.finalizers = (metadata.finalizers ?? []).filter((each) => each !== cleanupFinalizer);
}
