import type { VSphereClusterIdentity } from "@rookery/api";
import { ignoreNotFound, type ResourceClient } from "@rookery/client";
import { isConflict, objectKeyOf } from "@rookery/kube";
import { onAbort, untilAborted } from "@rookery/runtime";

type IdentityClient = Pick<ResourceClient<VSphereClusterIdentity>, "get" | "patch">;

/** Finalizers to add (true) or to remove (false). */
type Changes = Map<string, boolean>;

/** Changes of several callers that are written at once. */
interface Batch {
  readonly changes: Changes;
  /** The finalizers of the identity after the write; none if it is gone. */
  readonly written: Promise<readonly string[]>;
  /** Ends the write when no caller waits for it. */
  readonly waiting: Waiting;
}

/** Attempts after conflicts with other instances and other writers of the identity. */
const attempts = 5;

/**
 * Writes the users of identities: a finalizer for each cluster. Calls during a write of an identity join the next write,
 * so that a hundred clusters are not a hundred writers of one object.
 */
export class IdentityUsers {
  readonly #client: IdentityClient;
  /** By identity: the batch that can still be joined. */
  readonly #next = new Map<string, Batch>();
  /** By identity: the end of the last write. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(client: IdentityClient) {
    this.#client = client;
  }

  /** Adds the finalizer; returns false if the identity is gone or being deleted. */
  async add(
    identity: VSphereClusterIdentity,
    finalizer: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const finalizers = await this.#change(identity, new Map([[finalizer, true]]), signal);
    return finalizers.includes(finalizer);
  }

  /** Removes these finalizers from an identity. */
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
    // Only the callers get the failure; the next write waits for the end.
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
        return (await ignoreNotFound(this.#tryWrite(identity, changes, signal))) ?? [];
      } catch (error) {
        if (!isConflict(error) || attempt === attempts) throw error;
      }
    }
  }

  /** Ignores another identity of the same name. */
  async #tryWrite(
    identity: VSphereClusterIdentity,
    changes: Changes,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const key = objectKeyOf(identity);
    const { metadata } = await this.#client.get(key, { signal });
    if (metadata.uid !== identity.metadata.uid) return [];
    const { finalizers: known = [], resourceVersion } = metadata;
    // The server rejects a write that adds finalizers to an object that is being deleted.
    const added = metadata.deletionTimestamp ? [] : wantedOf(changes);
    const kept = known.filter((one) => changes.get(one) !== false);
    const finalizers = [...new Set([...kept, ...added])];
    if (finalizers.length === known.length && kept.length === known.length) return known;
    const patch = { metadata: { resourceVersion, finalizers } };
    await this.#client.patch(key, { type: "merge", patch }, { signal });
    return finalizers;
  }
}

/** The callers that wait for one write, until their signals are aborted. The last one ends the write. */
class Waiting {
  readonly #over = new AbortController();
  #count = 0;

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  async wait<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
    const waiting = untilAborted(work, signal);
    if (signal.aborted) return waiting;
    this.#count += 1;
    using _ = onAbort(signal, () => {
      this.#count -= 1;
      if (this.#count === 0) this.#over.abort(signal.reason);
    });
    return await waiting;
  }
}

function wantedOf(changes: Changes): string[] {
  return [...changes].filter(([, isWanted]) => isWanted).map(([finalizer]) => finalizer);
}
