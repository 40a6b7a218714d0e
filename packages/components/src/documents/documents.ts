import { isRecord, type KubeObject } from "@rookery/kube";
import { DocumentError } from "../errors.ts";
import { readBlocks } from "./block-reader.ts";
import { type DocumentSource, splitDocuments } from "./split-documents.ts";
import { readWhole } from "./whole-reader.ts";

/** An object of a components file. */
export type Component = KubeObject & { readonly [field: string]: unknown };

/**
 * The objects of a file of YAML documents, as Go's YAML reads them; a `List` is replaced by its items.
 * Throws DocumentError for invalid YAML, duplicate keys and documents that are no Kubernetes objects.
 */
export function parseComponents(text: string): readonly Component[] {
  return parseDocuments(text).flatMap(({ value, source }) =>
    objectsOf(value, { document: source.index, line: source.line, item: "" }),
  );
}

/** The values of all documents of a file but empty ones. Throws DocumentError. */
export function parseDocuments(
  text: string,
): readonly { readonly value: unknown; readonly source: DocumentSource }[] {
  return splitDocuments(text)
    .map((source) => ({ value: readBlocks(source.text) ?? readWhole(source), source }))
    .filter(({ value }) => value !== null);
}

interface Place {
  readonly document: number;
  readonly line: number;
  /** The item of a List, for messages; empty outside of lists. */
  readonly item: string;
}

function objectsOf(value: unknown, place: Place): readonly Component[] {
  const { apiVersion, kind, items } = Object(value) as Partial<Component>;
  if (apiVersion !== "v1" || kind !== "List") return [asComponent(value, place)];
  // Go reads a List without items as an empty one.
  if (items === undefined || items === null) return [];
  if (!Array.isArray(items)) throw invalid(place, "the items of the List are no array");
  return items.flatMap((item, index) =>
    objectsOf(item, { ...place, item: `${place.item}item ${index + 1} of the List: ` }),
  );
}

function asComponent(value: unknown, place: Place): Component {
  if (!isRecord(value)) throw invalid(place, "it is no object with apiVersion and kind");
  const { apiVersion, kind, metadata } = value as Partial<Component>;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || !apiVersion || !kind) {
    throw invalid(place, "it has no apiVersion or no kind");
  }
  const { name } = Object(metadata) as { name?: unknown };
  if (typeof name !== "string" || name === "") {
    // In YAML 1.1 "name: n" is false.
    const isOdd = name !== undefined && name !== null && name !== "";
    const why = isOdd ? `is ${JSON.stringify(name)}, which is no text; quote it` : "is missing";
    throw invalid(place, `the metadata.name of the ${kind} ${why}`);
  }
  return value as unknown as Component;
}

function invalid({ item, ...place }: Place, why: string): DocumentError {
  return new DocumentError(place, `${item}${why}`);
}
