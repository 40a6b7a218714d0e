import { type Finding, isFalse, isTrue, isUnknown } from "@rookery/kube";
import type { Lookup } from "../contract/externals.ts";
import { ContractError, PartTakenError } from "../errors.ts";
import { seeLog } from "../names.ts";
import { mirrorOf } from "./mirror.ts";

/** A part of a Cluster or Machine, and how its condition reads. */
export interface Part {
  /** The type of the part's own condition, which is also the reason while the part is up. */
  readonly of: "Ready" | "Available";
  readonly kind: string;
  /** Whether the part is or was provisioned. */
  readonly isUp: boolean;
  /** The field of `status.initialization` that shows it. */
  readonly field: string;
  /** Follows "has been deleted". */
  readonly deletedWhile: string;
}

/** The finding of a Cluster or Machine about one of its parts. */
export function partFinding(lookup: Lookup, part: Part): Finding {
  const { of, isUp, kind, field, deletedWhile } = part;
  switch (lookup.outcome) {
    case "found": {
      const message = `${kind} status.initialization.${field} is false`;
      const fallback = isUp ? isTrue(of) : isFalse(`Not${of}`, message);
      return mirrorOf(lookup.object, { of, trueReason: of, fallback });
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
