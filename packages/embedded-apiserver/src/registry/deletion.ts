import type { DeleteOptions } from "@rookery/apiserver";
import { deepCopy, formatTime, type KubeObject, type ObjectMeta, parseTime } from "@rookery/kube";
import { finalizers } from "./finalizer-rules.ts";
import type { StorageRules } from "./storage-options.ts";

export type Deletion =
  /** The object is already being deleted. */
  | { readonly kind: "pending" }
  /** The object is removed at once. */
  | { readonly kind: "remove" }
  /** The object is marked, and stays until its grace period ends or its finalizers are gone. */
  | { readonly kind: "mark"; readonly object: KubeObject }
  /** The object is marked and removed at once, since its grace period is 0. */
  | { readonly kind: "mark-and-remove"; readonly object: KubeObject };

/** Follows kube-apiserver's Store.Delete. */
export function decideDeletion(
  current: KubeObject,
  options: DeleteOptions,
  { rules, now }: { readonly rules: StorageRules; readonly now: Date },
): Deletion {
  const grace = gracefulDeletion(current.metadata, options, { rules, now, current });
  if (grace === "pending") return { kind: "pending" };
  const kept = deletionFinalizers(current.metadata.finalizers ?? [], options, rules);
  const metadata = { ...(grace?.metadata ?? current.metadata), finalizers: kept };
  const object = { ...current, metadata };
  if (!grace) {
    if (kept.length === 0) return { kind: "remove" };
    return { kind: "mark", object: markedAsDeleting(object, now) };
  }
  const waits = kept.length > 0 || grace.seconds > 0;
  return waits ? { kind: "mark", object } : { kind: "mark-and-remove", object };
}

interface Grace {
  readonly seconds: number;
  readonly metadata: ObjectMeta;
}

/** Undefined without a grace period, or after it. */
function gracefulDeletion(
  metadata: ObjectMeta,
  options: DeleteOptions,
  { rules, now, current }: { rules: StorageRules; now: Date; current: KubeObject },
): Grace | "pending" | undefined {
  if (!rules.gracePeriodSeconds) return undefined;
  const given = options.gracePeriodSeconds;
  const requested = given !== undefined && given < 0 ? 1 : given;
  if (metadata.deletionTimestamp !== undefined) return shortened(metadata, requested, now);
  const seconds = rules.gracePeriodSeconds(current, requested);
  const { generation = 0 } = metadata;
  return {
    seconds,
    metadata: {
      ...metadata,
      deletionTimestamp: formatTime(new Date(now.getTime() + seconds * 1000)),
      deletionGracePeriodSeconds: seconds,
      ...(generation > 0 && { generation: generation + 1 }),
    },
  };
}

/** A grace period can only be shortened. */
function shortened(
  metadata: ObjectMeta,
  requested: number | undefined,
  now: Date,
): Grace | "pending" | undefined {
  const { deletionTimestamp = "", deletionGracePeriodSeconds: given } = metadata;
  const period = given !== undefined && given < 0 ? 1 : given;
  if (!period) return undefined;
  if (requested === undefined || requested >= period) return "pending";
  const moved = parseTime(deletionTimestamp).getTime() + (requested - period) * 1000;
  const isPast = moved < now.getTime();
  const seconds = isPast && requested !== 0 ? 1 : requested;
  const at = formatTime(isPast ? now : new Date(moved));
  return {
    seconds,
    metadata: { ...metadata, deletionTimestamp: at, deletionGracePeriodSeconds: seconds },
  };
}

/** Puts the finalizers that the client or the kind requests after all others. */
export function deletionFinalizers(
  current: readonly string[],
  options: DeleteOptions,
  { defaultPropagation }: Pick<StorageRules, "defaultPropagation">,
): readonly string[] {
  const { orphan, foreground } = finalizers;
  const policy = propagationOf(options) ?? propagationBy(current) ?? defaultPropagation;
  const others = current.filter((name) => name !== orphan && name !== foreground);
  const wanted = [
    ...others,
    ...(policy === "Orphan" ? [orphan] : []),
    ...(policy === "Foreground" ? [foreground] : []),
  ];
  const known = new Set(current);
  const isSame = wanted.length === current.length && wanted.every((name) => known.has(name));
  return isSame ? current : wanted;
}

type Propagation = NonNullable<DeleteOptions["propagationPolicy"]>;

function propagationOf(options: DeleteOptions): Propagation | undefined {
  const { orphanDependents, propagationPolicy } = options;
  if (orphanDependents === undefined) return propagationPolicy;
  return orphanDependents ? "Orphan" : "Background";
}

function propagationBy(current: readonly string[]): Propagation | undefined {
  const first = current.find(
    (name) => name === finalizers.orphan || name === finalizers.foreground,
  );
  if (first === undefined) return undefined;
  return first === finalizers.orphan ? "Orphan" : "Foreground";
}

function markedAsDeleting(object: KubeObject, now: Date): KubeObject {
  const { deletionTimestamp, generation = 0 } = object.metadata;
  const isLater =
    deletionTimestamp === undefined || parseTime(deletionTimestamp).getTime() > now.getTime();
  const isFirst = deletionTimestamp === undefined && generation > 0;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      ...(isFirst && { generation: generation + 1 }),
      ...(isLater && { deletionTimestamp: formatTime(now) }),
      deletionGracePeriodSeconds: 0,
    },
  };
}

export function firstMark(
  current: KubeObject,
  options: DeleteOptions,
  { rules, now }: { readonly rules: StorageRules; readonly now: Date },
): KubeObject {
  const marked = { ...current.metadata, deletionTimestamp: formatTime(now) };
  const object = deepCopy({ ...current, metadata: marked }) as KubeObject;
  rules.beginDeletion?.(object, options);
  return object;
}

/** Whether an update removes the last obstacle to a pending deletion. */
export function shouldDeleteDuringUpdate(
  object: KubeObject,
  old: KubeObject,
  rules: StorageRules,
): boolean {
  if ((object.metadata.finalizers ?? []).length > 0) return false;
  if (old.metadata.deletionTimestamp === undefined) return false;
  if (rules.isFinalized && !rules.isFinalized(object)) return false;
  return !old.metadata.deletionGracePeriodSeconds;
}
