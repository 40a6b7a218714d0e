import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@rookery/client";
import { blockMoveAnnotation } from "@rookery/cluster-api";
import { MoveError } from "../errors.ts";
import type { PlannedObject } from "../graph/move-plan.ts";
import { nameOf } from "../names.ts";
import { readExisting } from "../read/read-existing.ts";

interface WaitOptions {
  readonly timeoutMs: number;
  readonly intervalMs?: number;
  readonly onProgress: (text: string) => void;
}

/** Waits until providers have removed their annotation from all objects that are not ready to move. */
export async function waitUnblocked(
  source: Client,
  objects: readonly PlannedObject[],
  { timeoutMs, intervalMs = 1000, onProgress }: WaitOptions,
): Promise<void> {
  let blocked = objects.filter((planned) => planned.blocked);
  const end = Date.now() + timeoutMs;
  for (let isReported = false; blocked.length > 0; isReported = true) {
    const existing = [...(await readExisting(source, blocked)).values()];
    const still = existing.filter(
      ({ metadata }) => metadata.annotations?.[blockMoveAnnotation] !== undefined,
    );
    if (still.length === 0) return;
    const names = still.map(nameOf).join(", ");
    if (Date.now() >= end) throw blockedError(names);
    if (!isReported) onProgress(`Waiting for ${names}: not ready to move yet`);
    const uids = new Set(still.map(({ metadata }) => metadata.uid));
    blocked = blocked.filter(({ object }) => uids.has(object.metadata.uid));
    await delay(Math.min(intervalMs, Math.max(1, end - Date.now())));
  }
}

function blockedError(names: string): MoveError {
  return new MoveError(
    "Blocked",
    `could not move: the annotation ${blockMoveAnnotation} is still on ${names}; ` +
      "its provider removes it when the object may be moved, so look at what that one is doing",
  );
}
