import { hostname } from "node:os";
import type { Client } from "@rookery/client";
import { isForbidden } from "@rookery/kube";
import { readNamespace } from "../check/check-target.ts";
import { MoveError } from "../errors.ts";
import type {
  JournalState,
  MoveDestination,
  MoveHolder,
  MoveJournal,
} from "../journal/journal-state.ts";
import type { Scope } from "../read/read-plan.ts";

export function thisProcess(): MoveHolder {
  return { host: hostname(), pid: process.pid };
}

type GivenState = Omit<JournalState, "holder" | "startedAt" | "entries" | "before">;

/** The state of a new move by this process. */
export function newState(state: GivenState & Partial<Pick<JournalState, "entries">>): JournalState {
  const startedAt = new Date().toISOString();
  return { holder: thisProcess(), startedAt, entries: [], before: [], ...state };
}

/** Throws MoveError if a journal is of another move, or its process is running. */
export async function takeOver(
  journal: MoveJournal,
  scope: Scope,
  destination: MoveDestination,
): Promise<void> {
  const { state, name } = journal;
  const isSame = state.cluster === scope.cluster && sameDestination(state.destination, destination);
  if (!isSame) throw new MoveError("Unfinished", unfinished(journal));
  if (isAlive(state.holder)) {
    const { pid } = state.holder;
    const why = `could not move: process ${pid} is running this move (${name}); wait until it has ended`;
    throw new MoveError("Unfinished", why);
  }
}

export function checkNotRollingBack({ state }: MoveJournal): void {
  if (state.phase !== "RollingBack") return;
  const why = "could not move: a rollback is unfinished; run the command with --rollback to end it";
  throw new MoveError("Unfinished", why);
}

function sameDestination(a: MoveDestination, b: MoveDestination): boolean {
  if ("folder" in a || "folder" in b)
    return "folder" in a && "folder" in b && a.folder === b.folder;
  return a.cluster === b.cluster && (a.cluster !== "" || a.server === b.server);
}

function unfinished({ state, name }: MoveJournal): string {
  const what = state.cluster ? `cluster ${state.cluster}` : "everything";
  const { destination } = state;
  const where = "folder" in destination ? destination.folder : destination.server;
  return (
    `could not move: a move of ${what} in namespace ${state.namespace} to ${where}, begun ${state.startedAt}, ` +
    `is unfinished (${name}); run its command again to finish it, or with --rollback to undo it`
  );
}

/** A process on another machine counts as ended; it notices the takeover by the journal. */
function isAlive({ host, pid }: MoveHolder): boolean {
  if (host !== hostname() || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The uid of the namespace kube-system; "" if it may not be read. */
export async function clusterIdentity(client: Client): Promise<string> {
  try {
    return (await readNamespace(client, "kube-system"))?.metadata.uid ?? "";
  } catch (error) {
    if (isForbidden(error)) return "";
    throw error;
  }
}
