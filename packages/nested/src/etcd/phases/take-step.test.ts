import assert from "node:assert/strict";
import { it } from "node:test";
import type { NestedEtcd } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import fc from "fast-check";
import type { ContainerStatus, Pod } from "../../manifests/kinds.ts";
import type { EtcdGateway, EtcdMember } from "../gateway.ts";
import { peerUrl, seatsOf } from "../initial-cluster.ts";
import type { EtcdObservation } from "../observe.ts";
import { type StepOptions, takeStep } from "./take-step.ts";

const place = { cluster: "blue", namespace: "team" };
const made = "2026-01-01T00:00:00Z";
const died = new Error("the manager is killed");
const voter = (ordinal: number): EtcdMember => ({
  id: `${ordinal}`,
  name: `m${ordinal}`,
  peerUrls: [peerUrl(place, ordinal)],
  isLearner: false,
});
const crash = { waiting: { reason: "CrashLoopBackOff" } };
const creating = { waiting: { reason: "ContainerCreating" } };

/** A third member that joins an etcd of two: its pod, what a cache shows of it, and who etcd knows. */
class Joining {
  members: EtcdMember[] = [voter(0), voter(1)];
  /** Of the present pod: as whom it has begun, which is in its volume. */
  #startedAs: string | undefined;
  #joinedWith: string | undefined;
  #pod: Pod | undefined;
  #cached: Pod | undefined;
  #serial = 0;
  #seconds = 0;
  /** Whether the manager is killed before it deletes the pod of a member that it has added anew. */
  isMortal = false;
  /** What happens to the next pods before they start: ends again and again, or nothing for ever. */
  readonly fates: ("crashes" | "hangs")[];
  #fate: "crashes" | "hangs" | undefined;

  constructor(fates: readonly ("crashes" | "hangs")[]) {
    this.fates = [...fates];
  }

  sync(): void {
    this.#cached = this.#pod;
  }

  /** The StatefulSet's controller and a node take the pod one step further. */
  act(): void {
    const learner = this.members.find(({ isLearner }) => isLearner);
    if (this.#pod?.metadata.deletionTimestamp) this.#pod = undefined;
    else if (!this.#pod && this.members.length > 2) this.#make();
    else if (!this.#pod || this.#fate === "hangs") this.#seconds += 100;
    else if (this.#fate === "crashes" || !this.#isMember) this.#is(crash);
    else if (this.#startedAs === undefined && learner) {
      this.#startedAs = learner.id;
      this.members = this.members.map((one) => (one === learner ? { ...one, name: "m2" } : one));
      this.#is({ running: { startedAt: made } });
    }
  }

  async reconcile(): Promise<boolean> {
    const { steps, observed } = this.#view();
    try {
      const { step } = await takeStep({} as NestedEtcd, observed, steps);
      this.#record(observed);
      return step.kind === "none";
    } catch (error) {
      if (error !== died) throw error;
      return false;
    }
  }

  /** As the ConfigMap does: the volume of a member that has started, once it answers. */
  #record({ claims, healthy }: EtcdObservation): void {
    const hasStarted = this.members.some(({ name }) => name === "m2");
    if (!hasStarted) this.#joinedWith = undefined;
    else if (healthy.has(2)) this.#joinedWith ??= claims.get(2)?.metadata.uid;
  }

  get #isMember(): boolean {
    return this.#startedAs === undefined || this.members.some(({ id }) => id === this.#startedAs);
  }

  #make(): void {
    this.#startedAs = undefined;
    this.#fate = this.fates.shift();
    this.#seconds = 0;
    const metadata = { name: "blue-etcd-2", namespace: "team", uid: `pod-${this.#serial++}` };
    this.#pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...metadata, creationTimestamp: made },
    };
    this.#is(creating);
  }

  #is(state: NonNullable<ContainerStatus["state"]>): void {
    if (!this.#pod) return;
    const restartCount = state === crash ? 3 : 0;
    const status = { containerStatuses: [{ name: "etcd", restartCount, state }] };
    this.#pod = { ...this.#pod, status };
  }

  #remove(object: KubeObject): void {
    if (this.isMortal) {
      this.isMortal = false;
      throw died;
    }
    const pod = this.#pod;
    if (!pod || object.metadata.uid !== pod.metadata.uid) return;
    this.#pod = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: made } };
  }

  #view(): { steps: Parameters<typeof takeStep>[2]; observed: EtcdObservation } {
    const cached = this.#cached;
    const claim = (uid: string): KubeObject => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data", uid },
    });
    // A member is asked at the address of the pod that the cache shows.
    const isSeen = cached?.metadata.uid === this.#pod?.metadata.uid;
    const isRunning = isSeen && this.#startedAs !== undefined && this.#isMember;
    const own = cached?.metadata.uid ?? "";
    const claims = [claim("0"), claim("1"), ...(cached ? [claim(own)] : [])].entries();
    const volumes = { 0: "0", 1: "1", ...(this.#joinedWith && { 2: this.#joinedWith }) };
    const observed = {
      statefulSet: undefined,
      claims: new Map(claims),
      pods: new Map(cached ? [[2, cached]] : []),
      record: { isBootstrapped: true, volumes, data: undefined },
      seats: seatsOf(place, this.members, 5),
      healthy: new Set(isRunning ? [0, 1, 2] : [0, 1]),
    };
    const steps: StepOptions & Parameters<typeof takeStep>[2] = {
      ...place,
      desired: 3,
      connections: [{ ordinal: 0, gateway: this.#gateway() }],
      read: async () => this.#pod as never,
      remove: async (_, object) => this.#remove(object),
      recorder: { event: () => {} },
      clock: () => new Date(Date.parse(made) + this.#seconds * 1000),
    };
    return { steps, observed };
  }

  #gateway(): EtcdGateway {
    return {
      members: async () => this.members,
      addLearner: async (url) => {
        const id = `learner-${this.#serial++}`;
        this.members = [...this.members, { id, name: "", peerUrls: [url], isLearner: true }];
      },
      promote: async (id) => {
        this.members = this.members.map((one) =>
          one.id === id ? { ...one, isLearner: false } : one,
        );
        return true;
      },
      remove: async (id) => {
        const runs = this.#pod?.status?.containerStatuses?.[0]?.state?.running !== undefined;
        assert.ok(!(runs && id === this.#startedAs), "a member that has joined is taken out");
        this.members = this.members.filter((one) => one.id !== id);
      },
      isHealthy: async () => true,
      [Symbol.asyncDispose]: async () => {},
    };
  }
}

it("a third member joins, however late the cache is and whatever happens to its pods, and none is taken out that has joined", async () => {
  const often = ["reconcile", "act", "act"] as const;
  const event = fc.constantFrom(...often, ...often, "sync", "die");
  const fates = fc.array(fc.constantFrom("crashes" as const, "hangs" as const), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      fates,
      fc.array(event, { minLength: 40, maxLength: 80, size: "max" }),
      async (given, events) => {
        const joining = new Joining(given);
        for (const one of events) {
          if (one === "die") joining.isMortal = true;
          else await joining[one]();
        }
        let isDone = false;
        for (let round = 0; round < 80 && !isDone; round++) {
          joining.act();
          joining.sync();
          isDone = await joining.reconcile();
        }
        assert.deepEqual(
          joining.members.map(({ name, isLearner }) => [name, isLearner]),
          ["m0", "m1", "m2"].map((name) => [name, false]),
        );
      },
    ),
    { numRuns: 300 },
  );
});
