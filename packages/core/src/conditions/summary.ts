import type { Condition, ConditionStatement, Finding } from "@rookery/kube";
import {
  afterColon,
  byPriority,
  type MergeOptions,
  mergedStatus,
  notYetReported,
  priorityWith,
} from "./merge.ts";

export interface SummaryOptions extends MergeOptions {
  /** The types that count, the most important first. */
  readonly of: readonly string[];
  /** Types that may be missing. */
  readonly optional?: readonly string[];
  /** Replace reported conditions of their types. */
  readonly overrides?: readonly ConditionStatement[];
}

/** One finding for several conditions of an object, whose messages it lists. */
export function summaryOf(
  conditions: readonly Condition[] | undefined,
  options: SummaryOptions,
): Finding {
  const { of, optional = [], overrides = [], priorityOf = priorityWith() } = options;
  const counted = of.flatMap((one): ConditionStatement[] => {
    const found = conditions?.find((condition) => condition.type === one);
    if (found) return [overrides.find((override) => override.type === one) ?? found];
    return optional.includes(one) ? [] : [notYetReported(one, "Condition not yet reported")];
  });
  const groups = byPriority(
    counted.map((condition) => ({ condition })),
    priorityOf,
  );
  const merged = mergedStatus(groups, options);
  const isGood = merged.status === "True";
  const shown = counted.filter(
    (condition) => priorityOf(condition) !== "info" || (isGood && condition.message !== ""),
  );
  return { ...merged, message: shown.map(lineOf).join("\n") };
}

function lineOf({ type, reason, message }: ConditionStatement): string {
  return `* ${type}:${message === "" ? ` ${reason}` : afterColon(message)}`;
}
