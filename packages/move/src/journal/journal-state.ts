import { gunzipSync, gzipSync } from "node:zlib";
import type { KubeObject, ObjectKey, Resource } from "@rookery/kube";
import type { LeftObject } from "../graph/left-objects.ts";
import type { DeletedObject } from "../steps/delete-objects.ts";
import type { Pausable } from "../steps/pause.ts";

/**
 * How far a move is. Until `Creating` has ended everything is at the source and it can be rolled back;
 * from `Deleting` on everything is at the target and it can only be finished.
 */
type MovePhase = "Pausing" | "Creating" | "Saving" | "Deleting" | "Resuming" | "RollingBack";

/** Where objects go to: a cluster, known by its uid, or a folder. */
export type MoveDestination =
  | { readonly cluster: string; readonly server: string }
  | { readonly folder: string };

/** The process that a move is run by. */
export interface MoveHolder {
  readonly host: string;
  readonly pid: number;
}

/** An object of the move, as it is at the source. */
export interface JournalEntry extends DeletedObject {
  /** A copy of it goes to the target, and it stays. */
  readonly stays?: string;
  /** The target had it before. */
  readonly existed: boolean;
}

/** All that another process has to know in order to finish a move, or to undo it. */
export interface JournalState {
  readonly phase: MovePhase;
  readonly namespace: string;
  readonly cluster?: string;
  readonly destination: MoveDestination;
  readonly holder: MoveHolder;
  readonly startedAt: string;
  /** Clusters and classes that this move pauses. */
  readonly paused: readonly Pausable[];
  readonly entries: readonly JournalEntry[];
  /** What the target had before, as it was. */
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

/** Packs a state: the kinds are written once, since there are few of them and many objects. */
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

/** Far above a journal of a hundred thousand objects: who may write one may not fill the memory. */
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

/** Where the state of a move is kept, so that it outlives the process. */
export interface MoveJournal {
  /** How it is called, for people. */
  readonly name: string;
  readonly state: JournalState;
  /** When it was made, by a clock that who writes its content cannot set; undefined where that is this user's. */
  readonly began?: Date;
  /** Keeps another state. Rejects where another process has taken the move over. */
  save(change: Partial<JournalState>): Promise<void>;
  /** Rejects where another process has taken the move over. */
  confirm(): Promise<void>;
  /** The move is over. */
  close(): Promise<void>;
}
