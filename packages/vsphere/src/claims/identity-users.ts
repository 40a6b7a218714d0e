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
  async add(identity: VSphereClusterIdentity, finalizer: string): Promise<boolean> {
    const finalizers = await this.#change(identity, new Map([[finalizer, true]]));
    return finalizers.includes(finalizer);
  }

  /** Lets go of an identity that was held with these finalizers. */
  async remove(identity: VSphereClusterIdentity, finalizers: readonly string[]): Promise<void> {
    if (finalizers.length === 0) return;
    await this.#change(identity, new Map(finalizers.map((one) => [one, false])));
  }

  #change(identity: VSphereClusterIdentity, changes: Changes): Promise<readonly string[]> {
    const { uid = "" } = identity.metadata;
    const batch = this.#next.get(uid) ?? this.#begin(uid, identity);
    for (const [finalizer, isWanted] of changes) batch.changes.set(finalizer, isWanted);
    return batch.written;
  }

  #begin(uid: string, identity: VSphereClusterIdentity): Batch {
    const changes: Changes = new Map();
    const write = (): Promise<readonly string[]> => {
      this.#next.delete(uid);
      return this.#write(identity, changes);
    };
    const written = (this.#last.get(uid) ?? Promise.resolve()).then(write);
    // Those who wait hear of a failure; who comes after them only has to know that it is over.
    const over = written
      .catch(() => {})
      .finally(() => this.#last.get(uid) === over && this.#last.delete(uid));
    this.#last.set(uid, over);
    const batch = { changes, written };
    this.#next.set(uid, batch);
    return batch;
  }

  async #write(identity: VSphereClusterIdentity, changes: Changes): Promise<readonly string[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#tryWrite(identity, changes);
      } catch (error) {
        if (isNotFound(error)) return [];
        if (!isConflict(error) || attempt === attempts) throw error;
      }
    }
  }

  /** One of the same name that was made anew is another, and left alone. */
  async #tryWrite(identity: VSphereClusterIdentity, changes: Changes): Promise<readonly string[]> {
    const key = objectKeyOf(identity);
    const { metadata } = await this.#client.get(key);
    if (metadata.uid !== identity.metadata.uid) return [];
    const { finalizers: known = [], resourceVersion } = metadata;
    // The server takes no new ones once it is being deleted, and refuses the whole write.
    const added = metadata.deletionTimestamp ? [] : wantedOf(changes);
    const kept = known.filter((one) => changes.get(one) !== false);
    const finalizers = [...new Set([...kept, ...added])];
    if (finalizers.length === known.length && kept.length === known.length) return known;
    const patch = { metadata: { resourceVersion, finalizers } };
    await this.#client.patch(key, { type: "merge", patch });
    return finalizers;
  }
}

function wantedOf(changes: Changes): string[] {
  return [...changes].filter(([, isWanted]) => isWanted).map(([finalizer]) => finalizer);
}
