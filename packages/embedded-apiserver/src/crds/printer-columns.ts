import type { CustomResourceColumnDefinition } from "@rookery/api";
import type { TableColumn } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import { timeSince } from "@rookery/kube";
import { type JsonPath, parseJsonPath } from "./json-path.ts";

const nameColumn: TableColumn = {
  name: "Name",
  type: "string",
  format: "name",
  description:
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
  value: ({ metadata }) => metadata.name ?? "",
};

const ageDefinition: CustomResourceColumnDefinition = {
  name: "Age",
  type: "date",
  description:
    "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
  jsonPath: ".metadata.creationTimestamp",
};

/** The columns of a custom kind: the name, and the declared columns or the age. */
export function printerColumns(
  declared: readonly CustomResourceColumnDefinition[] | undefined,
): readonly TableColumn[] {
  const columns = [nameColumn];
  for (const definition of declared?.length ? declared : [ageDefinition]) {
    const path = parseJsonPath(definition.jsonPath ?? "");
    // An invalid column ends the list.
    if (!path) break;
    columns.push(columnOf(definition, path));
  }
  return columns;
}

function columnOf(definition: CustomResourceColumnDefinition, path: JsonPath): TableColumn {
  const { name = "", format, priority, jsonPath = "" } = definition;
  const type = (definition.type ?? "string") as TableColumn["type"];
  return {
    name,
    type,
    description:
      definition.description ||
      `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    ...(format && { format }),
    ...(priority && { priority }),
    value: (object, now) => cellOf(object, path, { type, now }),
  };
}

function cellOf(
  object: KubeObject,
  path: JsonPath,
  { type, now }: { readonly type: TableColumn["type"]; readonly now: Date },
): string | number | boolean | null {
  const [value] = path.find(object);
  if (value === undefined) return null;
  switch (type) {
    case "string":
      return printed(value);
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? ageOf(value, now) : null;
  }
}

/** Formats a value like Go: lists and objects as JSON, null as "<nil>". */
function printed(value: unknown): string {
  if (value === null) return "<nil>";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function ageOf(time: string, now: Date): string {
  return Number.isNaN(Date.parse(time)) ? "<invalid>" : timeSince(time, now);
}
