import type { SchemaNode } from "../../schema-node.ts";
import { buildNode } from "../../structural-node.ts";

const TYPE_AND_OBJECT_META = buildNode({
  type: "object",
  properties: {
    kind: { type: "string" },
    apiVersion: { type: "string" },
    metadata: {
      type: "object",
      properties: { name: { type: "string" }, generateName: { type: "string" } },
    },
  },
});

const withMeta = new WeakMap<SchemaNode, SchemaNode>();

/** The schema of a resource as rules see it, whose metadata has only the names. */
export function withTypeAndObjectMeta(node: SchemaNode): SchemaNode {
  const known = withMeta.get(node);
  if (known) return known;
  const properties = new Map([
    ...(node.properties ?? []),
    ...(TYPE_AND_OBJECT_META.properties ?? []),
  ]);
  const full = hasTypeAndObjectMeta(node) ? node : { ...node, properties };
  withMeta.set(node, full);
  return full;
}

function hasTypeAndObjectMeta({ properties }: SchemaNode): boolean {
  const metadata = properties?.get("metadata");
  return (
    properties?.get("kind")?.type === "string" &&
    properties.get("apiVersion")?.type === "string" &&
    metadata?.type === "object" &&
    metadata.properties?.get("name")?.type === "string" &&
    metadata.properties.get("generateName")?.type === "string"
  );
}
