import { type Finding, isFalse, isTrue, isUnknown } from "@rookery/kube";
import type { Lookup } from "../contract/externals.ts";
import { ContractError, PartTakenError } from "../errors.ts";
import { seeLog } from "../names.ts";
import { mirrorOf } from "./mirror.ts";

/** A part of a Cluster or Machine, and how its condition reads. */
export interface Part {
  /** The type of the part's own condition. */
  readonly of: string;
  readonly kind: string;
  /** Whether the part is or was provisioned. */
  readonly isUp: boolean;
  readonly upReason: string;
  readonly downReason: string;
  readonly downMessage: string;
  /** Follows "has been deleted". */
  readonly deletedWhile: string;
}

/** The finding of a Cluster or Machine about one of its parts. */
export function partFinding(lookup: Lookup, part: Part): Finding {
  const { of, isUp, kind, upReason, downReason, downMessage, deletedWhile } = part;
  switch (lookup.outcome) {
    case "found": {
      const fallback = isUp ? isTrue(upReason) : isFalse(downReason, downMessage);
      return mirrorOf(lookup.object, { of, trueReason: upReason, fallback });
    }
    // Cluster API reports a part that is not named as one that it failed to read.
    case "unnamed":
      return isUnknown("InternalError", seeLog);
    case "failed": {
      const { error } = lookup;
      const isTheirs = error instanceof ContractError || error instanceof PartTakenError;
      return isUnknown("InternalError", isTheirs ? error.message : seeLog);
    }
    case "missing":
      return isUp
        ? isFalse("ObjectDeleted", `${kind} has been deleted${deletedWhile}`)
        : isFalse("ObjectDoesNotExist", `${kind} does not exist`);
  }
}
