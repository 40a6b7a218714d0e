import type { PrinterColumn } from "./custom-resource-definition.ts";

export const ageColumn: PrinterColumn = {
  name: "Age",
  type: "date",
  jsonPath: ".metadata.creationTimestamp",
};

export function textColumn(name: string, jsonPath: string): PrinterColumn {
  return { name, type: "string", jsonPath };
}

export function countColumn(name: string, jsonPath: string): PrinterColumn {
  return { name, type: "integer", jsonPath };
}

/** A field of the condition of a type. */
export function conditionColumn(
  name: string,
  type: string,
  field: "status" | "reason" | "message" = "status",
): PrinterColumn {
  return textColumn(name, `.status.conditions[?(@.type=="${type}")].${field}`);
}
