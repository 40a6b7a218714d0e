import type { Condition, ConditionStatement, Finding } from "@rookery/kube";

/** How a condition counts in the condition that it is merged into. */
export type Priority = "issue" | "unknown" | "info";

/** A condition and the object that reports it. */
export interface Reported {
  readonly owner: {
    readonly kind: string;
    readonly name: string;
    readonly isControlPlane?: boolean;
  };
  readonly condition: ConditionStatement;
}

export interface MergeOptions {
  readonly reasons: Readonly<Record<Priority, string>>;
  readonly priorityOf?: (condition: ConditionStatement) => Priority;
  /** Whether the merged condition is true where there are issues. */
  readonly negative?: boolean;
}

/** A false condition is an issue; of the `negative` types, a true one is. */
export function priorityWith(
  negative: readonly string[] = [],
): (condition: ConditionStatement) => Priority {
  return ({ type, status }) => {
    if (status === "Unknown") return "unknown";
    return (status === "True") === negative.includes(type) ? "issue" : "info";
  };
}

/** The reported conditions by priority. */
export function byPriority<T extends { readonly condition: ConditionStatement }>(
  reported: readonly T[],
  priorityOf: (condition: ConditionStatement) => Priority,
): Readonly<Record<Priority, readonly T[]>> {
  const of = (priority: Priority) =>
    reported.filter(({ condition }) => priorityOf(condition) === priority);
  return { issue: of("issue"), unknown: of("unknown"), info: of("info") };
}

/** Status and reason of the merged condition: issues count first, then unknown conditions. */
export function mergedStatus(
  groups: Readonly<Record<Priority, readonly unknown[]>>,
  { reasons, negative = false }: Pick<MergeOptions, "reasons" | "negative">,
): Pick<Finding, "status" | "reason"> {
  if (groups.issue.length > 0)
    return { status: negative ? "True" : "False", reason: reasons.issue };
  if (groups.unknown.length > 0) return { status: "Unknown", reason: reasons.unknown };
  return { status: negative ? "False" : "True", reason: reasons.info };
}

/** Stands for a condition that an object should report and does not. */
export function notYetReported(type: string, message: string): ConditionStatement {
  return { type, status: "Unknown", reason: "NotYetReported", message };
}

const bullet = /\s*\*\s+/;

/** A message after a colon; on lines of their own, indented, where it has several or is a list. */
export function afterColon(message: string): string {
  if (!message.includes("\n") && !bullet.test(message)) return ` ${message}`;
  const lines = message.split("\n");
  const isMixed = lines.some((line) => !bullet.test(line));
  const indented = lines.map((line) => {
    if (!isMixed) return `  ${line}`;
    return bullet.test(line) ? `    ${line}` : `  * ${line}`;
  });
  return `\n${indented.join("\n")}`;
}

/** Older transitions come first. */
export function compareTransition(
  left: Pick<Reported, "condition">,
  right: Pick<Reported, "condition">,
): number {
  return timeOf(left.condition) - timeOf(right.condition);
}

function timeOf({ lastTransitionTime }: Partial<Condition>): number {
  return lastTransitionTime ? Date.parse(lastTransitionTime) : Number.NEGATIVE_INFINITY;
}
