import type { VSphereClusterIdentity } from "@rookery/api";
import type { ResourceClient } from "@rookery/client";
import { isConflict, isNotFound, objectKeyOf } from "@rookery/kube";

type IdentityClient = Pick<ResourceClient<VSphereClusterIdentity>, "get" | "patch">;

/** By finalizer, whether it is to be there. */
type Changes = Map<string, boolean>;

/** What is written at once, for all who asked for it. */
interface Batch {
  readonly changes: Changes;
  /** The finalizers of the identity as they are then; none where it is gone. */
  readonly written: Promise<readonly string[]>;
  /** Ends the write when nobody waits for it any more. */
  readonly waiting: Waiting;
}

/** Against other instances, and against who writes something else on the identity. */
const attempts = 5;

/**
 * Writes on identities who uses them: a finalizer for each cluster. Who comes while an identity is
 * being written waits for the next write, which is one for all of them, so that a hundred clusters
 * that come together are not a hundred writers of one object.
 */
export class IdentityUsers {
  readonly #client: IdentityClient;
  /** By identity: the batch that can still be joined. */
  readonly #next = new Map<string, Batch>();
  /** By identity: the end of the write that comes last. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(client: IdentityClient) {
    this.#client = client;
  }

  /** Whether the identity is held with the finalizer then; it is not where it is gone, or going. */
  async add(
    identity: VSphereClusterIdentity,
    finalizer: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const finalizers = await this.#change(identity, new Map([[finalizer, true]]), signal);
    return finalizers.includes(finalizer);
  }

  /** Lets go of an identity that was held with these finalizers. */
  async remove(
    identity: VSphereClusterIdentity,
    finalizers: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    if (finalizers.length === 0) return;
    await this.#change(identity, new Map(finalizers.map((one) => [one, false])), signal);
  }

  #change(
    identity: VSphereClusterIdentity,
    changes: Changes,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const { uid = "" } = identity.metadata;
    const next = this.#next.get(uid);
    const batch = next && !next.waiting.signal.aborted ? next : this.#begin(uid, identity);
    for (const [finalizer, isWanted] of changes) batch.changes.set(finalizer, isWanted);
    return batch.waiting.wait(batch.written, signal);
  }

  #begin(uid: string, identity: VSphereClusterIdentity): Batch {
    const changes: Changes = new Map();
    const waiting = new Waiting();
    const write = (): Promise<readonly string[]> => {
      if (this.#next.get(uid) === batch) this.#next.delete(uid);
      return this.#write(identity, changes, waiting.signal);
    };
    const written = (this.#last.get(uid) ?? Promise.resolve()).then(write);
    // Those who wait hear of a failure; who comes after them only has to know that it is over.
    const over = written
      .catch(() => {})
      .finally(() => this.#last.get(uid) === over && this.#last.delete(uid));
    this.#last.set(uid, over);
    const batch = { changes, written, waiting };
    this.#next.set(uid, batch);
    return batch;
  }

  async #write(
    identity: VSphereClusterIdentity,
    changes: Changes,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#tryWrite(identity, changes, signal);
      } catch (error) {
        if (isNotFound(error)) return [];
        if (!isConflict(error) || attempt === attempts) throw error;
      }
    }
  }

  /** One of the same name that was made anew is another, and left alone. */
  async #tryWrite(
    identity: VSphereClusterIdentity,
    changes: Changes,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const key = objectKeyOf(identity);
    const { metadata } = await this.#client.get(key, { signal });
    if (metadata.uid !== identity.metadata.uid) return [];
    const { finalizers: known = [], resourceVersion } = metadata;
    // The server takes no new ones once it is being deleted, and refuses the whole write.
    const added = metadata.deletionTimestamp ? [] : wantedOf(changes);
    const kept = known.filter((one) => changes.get(one) !== false);
    const finalizers = [...new Set([...kept, ...added])];
    if (finalizers.length === known.length && kept.length === known.length) return known;
    const patch = { metadata: { resourceVersion, finalizers } };
    await this.#client.patch(key, { type: "merge", patch }, { signal });
    return finalizers;
  }
}

/** Those who wait for one write: each as long as its own signal says, the write as long as any does. */
class Waiting {
  readonly #over = new AbortController();
  #count = 0;

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  async wait<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
    // It may fail when nobody waits for it any more.
    work.catch(() => {});
    signal.throwIfAborted();
    this.#count += 1;
    const gone = Promise.withResolvers<never>();
    const leave = () => {
      this.#count -= 1;
      if (this.#count === 0) this.#over.abort(signal.reason);
      gone.reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([work, gone.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }
}

function wantedOf(changes: Changes): string[] {
  return [...changes].filter(([, isWanted]) => isWanted).map(([finalizer]) => finalizer);
}
