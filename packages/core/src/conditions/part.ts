import type { ConditionStatement } from "@rookery/kube";
import type { Lookup } from "../contract/externals.ts";
import { ContractError, PartTakenError } from "../errors.ts";
import { seeLog } from "../words.ts";
import { mirrorOf } from "./mirror.ts";

/** A part of a Cluster or Machine, and how its condition is told. */
export interface Part {
  /** The type of the condition that is made, and that of the part's own. */
  readonly type: string;
  readonly of: string;
  readonly kind: string;
  /** Whether it became what it is for, now or once. */
  readonly isUp: boolean;
  readonly upReason: string;
  readonly downReason: string;
  readonly downMessage: string;
  /** What is said behind "has been deleted". */
  readonly deletedWhile: string;
}

/** What a Cluster or Machine says of one of its parts. */
export function partCondition(lookup: Lookup, part: Part): ConditionStatement {
  const { type, of, isUp, kind, upReason, downReason, downMessage, deletedWhile } = part;
  switch (lookup.outcome) {
    case "found": {
      const fallback = isUp
        ? ({ status: "True", reason: upReason, message: "" } as const)
        : ({ status: "False", reason: downReason, message: downMessage } as const);
      return mirrorOf(lookup.object, { of, type, trueReason: upReason, fallback });
    }
    // Cluster API does not tell a part that nobody named from one that it failed to read.
    case "unnamed":
      return unknownOf(type, "InternalError", seeLog);
    case "failed": {
      const { error } = lookup;
      const isTheirs = error instanceof ContractError || error instanceof PartTakenError;
      return unknownOf(type, "InternalError", isTheirs ? error.message : seeLog);
    }
    case "missing":
      return isUp
        ? falseOf(type, "ObjectDeleted", `${kind} has been deleted${deletedWhile}`)
        : falseOf(type, "ObjectDoesNotExist", `${kind} does not exist`);
  }
}

export function falseOf(type: string, reason: string, message = ""): ConditionStatement {
  return { type, status: "False", reason, message };
}

export function trueOf(type: string, reason: string, message = ""): ConditionStatement {
  return { type, status: "True", reason, message };
}

export function unknownOf(type: string, reason: string, message: string): ConditionStatement {
  return { type, status: "Unknown", reason, message };
}
