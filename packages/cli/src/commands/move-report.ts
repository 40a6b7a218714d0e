import type { MoveReport } from "@rookery/move";
import { formatPairs } from "../output/table.ts";

/** What was moved, or would be: one line an object, then why some stay and some are left. */
export function formatMoveReport(report: MoveReport, isPreview: boolean, width?: number): string {
  const { moved, copied, left, namespace } = report;
  if (moved.length + copied.length + left.length === 0) {
    return `there is nothing to move${namespace ? ` in namespace ${namespace}` : ""}\n`;
  }
  const rows: readonly (readonly [string, string, string])[] = [
    ...moved.map((one) => ["move", nameOf(one), ""] as const),
    ...copied.map((one) => ["copy", nameOf(one), one.why] as const),
    ...left.map((one) => ["leave", nameOf(one), one.why] as const),
  ];
  const shown = isPreview ? rows : rows.filter(([what]) => what !== "move");
  const pairs = shown.map(([what, name, why]) => [`${what.padEnd(5)}  ${name}`, why] as const);
  const verb = isPreview ? "would be moved" : "moved";
  const sums = [
    `${moved.length} ${verb}`,
    ...(copied.length > 0 ? [`${copied.length} ${isPreview ? "would be " : ""}copied`] : []),
    ...(left.length > 0 ? [`${left.length} left`] : []),
  ];
  return `${formatPairs(pairs, { width, gap: 2 })}${sums.join(", ")}\n`;
}

function nameOf({ kind, key }: MoveReport["moved"][number]): string {
  return `${kind} ${key.namespace ? `${key.namespace}/` : ""}${key.name}`;
}
