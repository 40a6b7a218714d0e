import { gunzipSync, gzipSync } from "node:zlib";
import type { KubeObject, ObjectKey, Resource } from "@rookery/kube";
import type { LeftObject } from "../graph/left-objects.ts";
import type { DeletedObject } from "../steps/delete-objects.ts";
import type { Pausable } from "../steps/pause.ts";

/** A move can be rolled back until the end of `Creating`, and only be finished from `Deleting` on. */
type MovePhase = "Pausing" | "Creating" | "Saving" | "Deleting" | "Resuming" | "RollingBack";

/** A cluster, identified by its uid, or a folder. */
export type MoveDestination =
  | { readonly cluster: string; readonly server: string }
  | { readonly folder: string };

export interface MoveHolder {
  readonly host: string;
  readonly pid: number;
}

export interface JournalEntry extends DeletedObject {
  /** Why it is copied and stays at the source. */
  readonly stays?: string;
  readonly existed: boolean;
}

/** The state with which another process can finish a move or roll it back. */
export interface JournalState {
  readonly phase: MovePhase;
  readonly namespace: string;
  readonly cluster?: string;
  readonly destination: MoveDestination;
  readonly holder: MoveHolder;
  readonly startedAt: string;
  readonly paused: readonly Pausable[];
  readonly entries: readonly JournalEntry[];
  /** Objects that the target had before. */
  readonly before: readonly { readonly resource: Resource; readonly object: KubeObject }[];
  readonly left: readonly LeftObject[];
}

type Row = readonly [
  type: number,
  namespace: string,
  name: string,
  uid: string,
  group: number,
  existed: 0 | 1,
  stays: string,
];

/** Packs a state, with each kind only once. */
export function packState({ entries, ...state }: JournalState): Buffer {
  const resources: Resource[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (resource: Resource) => {
    const name = `${resource.plural}.${resource.group}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, resources.length);
    return resources.push(resource) - 1;
  };
  const rows = entries.map(
    ({ resource, key, uid, group, existed, stays = "" }): Row => [
      ...([numberOf(resource), key.namespace ?? "", key.name, uid, group] as const),
      ...([existed ? 1 : 0, stays] as const),
    ],
  );
  return gzipSync(JSON.stringify({ ...state, resources, rows }));
}

/** Far above a journal of 100 000 objects; protects the memory against forged journals. */
const maxOutputLength = 64 * 1024 * 1024;

/** Reads what `packState` wrote. */
export function unpackState(packed: Buffer): JournalState {
  const { resources, rows, ...state } = JSON.parse(
    gunzipSync(packed, { maxOutputLength }).toString(),
  ) as Omit<JournalState, "entries"> & {
    readonly resources: readonly Resource[];
    readonly rows: readonly Row[];
  };
  const entries = rows.map(([type, namespace, name, uid, group, existed, stays]): JournalEntry => {
    const resource = resources[type];
    if (!resource) throw new SyntaxError("a kind of the journal is missing");
    const key: ObjectKey = namespace === "" ? { name } : { namespace, name };
    return { resource, key, uid, group, existed: existed === 1, ...(stays && { stays }) };
  });
  return { ...state, entries };
}

export interface MoveJournal {
  /** For messages. */
  readonly name: string;
  readonly state: JournalState;
  /** The creation time by the API server's clock; undefined for a file of the user. */
  readonly began?: Date;
  /** Rejects if another process has taken the move over. */
  save(change: Partial<JournalState>): Promise<void>;
  /** Rejects if another process has taken the move over. */
  confirm(): Promise<void>;
  close(): Promise<void>;
}
