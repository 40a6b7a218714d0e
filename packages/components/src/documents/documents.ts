import type { KubeObject } from "@rookery/kube";
import { DocumentError } from "../errors.ts";
import { readBlocks } from "./block-reader.ts";
import { type DocumentSource, splitDocuments } from "./split-documents.ts";
import { readWhole } from "./whole-reader.ts";

/** An object of any kind, as a components file holds it. */
export type Component = KubeObject & { readonly [field: string]: unknown };

/**
 * The objects of a file of YAML documents, in their order, as Go's YAML reads them. Throws
 * DocumentError for what is no YAML, has a key twice, or is no Kubernetes object.
 */
export function parseComponents(text: string): readonly Component[] {
  return parseDocuments(text).map(({ value, source }) => asComponent(value, source));
}

/** The documents of a file, whatever they are. Empty ones are left out. Throws DocumentError. */
export function parseDocuments(
  text: string,
): readonly { readonly value: unknown; readonly source: DocumentSource }[] {
  return splitDocuments(text)
    .map((source) => ({ value: readBlocks(source.text) ?? readWhole(source), source }))
    .filter(({ value }) => value !== null);
}

function asComponent(value: unknown, source: DocumentSource): Component {
  const { apiVersion, kind, metadata } = Object(value) as Partial<Component>;
  const place = { document: source.index, line: source.line };
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new DocumentError(place, "it is no object with apiVersion and kind");
  }
  if (typeof apiVersion !== "string" || typeof kind !== "string" || !apiVersion || !kind) {
    throw new DocumentError(place, "it has no apiVersion or no kind");
  }
  const { name } = Object(metadata) as { name?: unknown };
  if (typeof name !== "string" || name === "") {
    // "name: n" is false: YAML 1.1 has many words for that.
    const isOdd = name !== undefined && name !== null && name !== "";
    const why = isOdd ? `is ${JSON.stringify(name)}, which is no text; quote it` : "is missing";
    throw new DocumentError(place, `the metadata.name of the ${kind} ${why}`);
  }
  return value as Component;
}
