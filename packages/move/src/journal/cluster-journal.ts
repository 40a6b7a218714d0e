import { randomBytes } from "node:crypto";
import { type Client, getOptional } from "@rookery/client";
import { builtInResources, isConflict, isNotFound, type KubeObject } from "@rookery/kube";
import { MoveError } from "../errors.ts";
import { fieldManager } from "../names.ts";
import type { MoveJournal } from "./journal-state.ts";
import { type JournalState, packState, unpackState } from "./journal-state.ts";

const label = "rookery.dev/move";
/** A Secret may have 1 MiB, without Base64. */
const partBytes = 900_000;

interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** The journal of the unfinished move in a namespace. Rejects with MoveError if there are two. */
export async function findClusterJournal(
  client: Client,
  namespace: string,
): Promise<MoveJournal | undefined> {
  const secrets = client.resource<Secret>(builtInResources.secrets);
  const { items } = await secrets.list({ namespace, labelSelector: label });
  const [head, ...others] = items.filter(({ data }) => data?.parts !== undefined);
  if (!head) return undefined;
  if (others.length > 0) throw severalError(namespace, [head, ...others]);
  const count = Number(decode(head.data?.parts).toString());
  const parts = [head, ...items.filter((item) => isPartOf(item, head))];
  const bytes = Array.from({ length: count }, (_, index) => {
    const part = parts.find(({ data }) => data?.[`part-${index}`] !== undefined);
    return decode(part?.data?.[`part-${index}`]);
  });
  const state = unpackState(Buffer.concat(bytes));
  return new ClusterJournal(client, { head, state }, false);
}

/** Creates a journal. Rejects if another move started at the same time. */
export async function createClusterJournal(
  client: Client,
  state: JournalState,
): Promise<MoveJournal> {
  const { namespace } = state;
  const name = `rookery-move-${randomBytes(4).toString("hex")}`;
  const secrets = client.resource<Secret>(builtInResources.secrets);
  const head = await secrets.create(headOf({ name, namespace }, packState(state), 0).head);
  const { items } = await secrets.list({ namespace, labelSelector: label });
  const others = items.filter(({ metadata, data }) => data?.parts && metadata.name !== name);
  if (others.length > 0) {
    await secrets.delete({ namespace, name });
    throw severalError(namespace, others);
  }
  return new ClusterJournal(client, { head, state }, true);
}

class ClusterJournal implements MoveJournal {
  state: JournalState;
  readonly #client: Client;
  #head: Secret;
  #generation: number;
  #mayHaveParts: boolean;

  /** A journal that was found may also have unused parts of a killed process. */
  constructor(
    client: Client,
    { head, state }: { head: Secret; state: JournalState },
    isNew: boolean,
  ) {
    this.#client = client;
    this.#head = head;
    this.state = state;
    this.#mayHaveParts = !isNew;
    this.#generation = Number(decode(head.data?.generation).toString() || 0);
  }

  get name(): string {
    const { namespace, name } = this.#head.metadata;
    return `Secret ${namespace}/${name}`;
  }

  get began(): Date {
    return new Date(this.#head.metadata.creationTimestamp ?? Date.now());
  }

  /** Creates parts before the head that refers to them, and deletes old ones after it. */
  async save(change: Partial<JournalState>): Promise<void> {
    const state = { ...this.state, ...change };
    const { name = "", namespace = "", resourceVersion = "" } = this.#head.metadata;
    this.#generation += 1;
    const { head, parts } = headOf({ name, namespace }, packState(state), this.#generation);
    for (const part of parts) await this.#secrets.create(part, { fieldManager });
    try {
      const metadata = { ...head.metadata, resourceVersion };
      this.#head = await this.#secrets.update({ ...head, metadata }, { fieldManager });
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) throw this.#lost(error);
      throw error;
    }
    this.state = state;
    if (this.#mayHaveParts) await this.#removeParts(`${this.#generation}`);
    this.#mayHaveParts = parts.length > 0;
  }

  async confirm(): Promise<void> {
    const { name = "", namespace = "", resourceVersion } = this.#head.metadata;
    const found = await getOptional(this.#secrets, { namespace, name });
    if (found?.metadata.resourceVersion !== resourceVersion) throw this.#lost();
  }

  async close(): Promise<void> {
    const { name = "", namespace = "" } = this.#head.metadata;
    if (this.#mayHaveParts) await this.#removeParts("none");
    await this.#secrets.delete({ namespace, name });
  }

  async #removeParts(butGeneration: string): Promise<void> {
    const { name = "", namespace = "" } = this.#head.metadata;
    const labelSelector = `${label}=${name},${label}-part!=${butGeneration},${label}-part`;
    await this.#secrets.deleteCollection({ namespace, labelSelector });
  }

  get #secrets() {
    return this.#client.resource<Secret>(builtInResources.secrets);
  }

  #lost(cause?: unknown): MoveError {
    const why = `another process has taken over the move of ${this.name}; this one has ended`;
    return new MoveError("JournalLost", why, { cause });
  }
}

function headOf(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  packed: Buffer,
  generation: number,
): { readonly head: Secret; readonly parts: readonly Secret[] } {
  const count = Math.ceil(packed.length / partBytes);
  const part = (index: number) => ({
    [`part-${index}`]: packed
      .subarray(index * partBytes, (index + 1) * partBytes)
      .toString("base64"),
  });
  const base = { apiVersion: "v1", kind: "Secret", type: "rookery.dev/move" };
  const head: Secret = {
    ...base,
    metadata: { name, namespace, labels: { [label]: name } },
    data: { parts: encode(`${count}`), generation: encode(`${generation}`), ...part(0) },
  };
  const parts = Array.from({ length: count - 1 }, (_, index): Secret => {
    const labels = { [label]: name, [`${label}-part`]: `${generation}` };
    return {
      ...base,
      metadata: { name: `${name}-${generation}-${index + 1}`, namespace, labels },
      data: part(index + 1),
    };
  });
  return { head, parts };
}

/** Parts of other generations are left from a killed process. */
function isPartOf({ metadata }: Secret, head: Secret): boolean {
  const generation = decode(head.data?.generation).toString();
  return (
    metadata.labels?.[label] === head.metadata.name &&
    metadata.labels?.[`${label}-part`] === generation
  );
}

function severalError(namespace: string, heads: readonly Secret[]): MoveError {
  const names = heads.map(({ metadata }) => metadata.name).join(", ");
  return new MoveError(
    "Unfinished",
    `could not move: a move in namespace ${namespace} is unfinished (Secret ${names}); ` +
      "run its command again to finish it, or with --rollback to undo it",
  );
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}

function decode(data: string | undefined): Buffer {
  return Buffer.from(data ?? "", "base64");
}
