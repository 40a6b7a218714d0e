import type { MoveReport } from "@rookery/move";

/** What was moved, or would be: one line an object, then why some stay and some are left. */
export function formatMoveReport(report: MoveReport, isPreview: boolean): string {
  const { moved, copied, left, namespace } = report;
  if (moved.length + copied.length + left.length === 0) {
    return `there is nothing to move${namespace ? ` in namespace ${namespace}` : ""}\n`;
  }
  const rows = [
    ...moved.map((one) => ["move", nameOf(one), ""]),
    ...copied.map((one) => ["copy", nameOf(one), one.why]),
    ...left.map((one) => ["leave", nameOf(one), one.why]),
  ];
  const shown = isPreview ? rows : rows.filter(([what]) => what !== "move");
  const width = Math.max(0, ...shown.map(([, name = ""]) => name.length));
  const lines = shown.map(([what = "", name = "", why = ""]) =>
    `${what.padEnd(5)}  ${name.padEnd(width)}  ${why}`.trimEnd(),
  );
  const verb = isPreview ? "would be moved" : "moved";
  const sums = [
    `${moved.length} ${verb}`,
    ...(copied.length > 0 ? [`${copied.length} ${isPreview ? "would be " : ""}copied`] : []),
    ...(left.length > 0 ? [`${left.length} left`] : []),
  ];
  return `${[...lines, sums.join(", ")].join("\n")}\n`;
}

function nameOf({ kind, key }: MoveReport["moved"][number]): string {
  return `${kind} ${key.namespace ? `${key.namespace}/` : ""}${key.name}`;
}
