import { parseYamlDocuments, plainValue, YamlError, type YamlOptions } from "@rookery/yaml";
import { type Document, type Scalar, type Tags, visit } from "yaml";
import { ManifestSyntaxError } from "../errors.ts";
import { createNode, mergeChanges } from "./merge-changes.ts";

/** The documents of a text. */
export interface ManifestFile {
  readonly documents: readonly unknown[];
  /** Replaces documents; unchanged ones keep their text. */
  write(documents: readonly unknown[]): string;
}

/** Reads YAML or JSON. Throws ManifestSyntaxError. */
export function readManifestFile(text: string): ManifestFile {
  const parts = documentsOf(text);
  for (const { errors } of parts) {
    const [error] = errors;
    if (!error) continue;
    const [why = error.message] = error.message.split(/ at line \d|\n/);
    throw new ManifestSyntaxError(error.linePos?.[0].line ?? 0, why, { cause: error });
  }
  const documents = parts.map(readValue);
  const starts = parts.map((part, index) => (index === 0 ? 0 : part.range?.[0]));
  const source = (index: number) => text.slice(starts[index], starts[index + 1]);
  return {
    documents,
    write: (after) =>
      parts
        .map((part, index) =>
          after[index] === documents[index]
            ? source(index)
            : writeDocument(part, { before: documents[index], after: after[index] }, source(index)),
        )
        .map(endLine)
        .join(""),
  };
}

function documentsOf(text: string): Document[] {
  try {
    return parseYamlDocuments(text, kubernetesYaml);
  } catch (error) {
    throw syntaxError(error);
  }
}

function readValue(part: Document): unknown {
  try {
    return plainValue(part);
  } catch (error) {
    throw syntaxError(error);
  }
}

function syntaxError(error: unknown): unknown {
  return error instanceof YamlError
    ? new ManifestSyntaxError(1, error.message, { cause: error })
    : error;
}

function writeDocument(
  document: Document,
  change: { readonly before: unknown; readonly after: unknown },
  source: string,
): string {
  // The values of aliases may change separately.
  if (hasAliases(document))
    document.contents = createNode(document, change.after) as typeof document.contents;
  else mergeChanges(document, change);
  const indentSeq = !/^( *)(?:- )?[^\s#'"-][^\n]*:\n\1- /m.test(source);
  return document.toString({ lineWidth: 0, indentSeq, flowCollectionPadding: false });
}

function hasAliases(document: Document): boolean {
  let found = false;
  visit(document, {
    Alias: () => {
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

const endLine = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/** Joins the texts of several files to one stream of documents. */
export function joinFiles(texts: readonly string[]): string {
  return texts
    .filter((text) => text.trim() !== "")
    .map((text, index) =>
      index === 0 || /^---(\s|$)/m.test(firstLine(text)) ? text : `---\n${text}`,
    )
    .join("");
}

const firstLine = (text: string) => text.slice(0, text.indexOf("\n"));

/**
 * YAML as kubectl reads it: version 1.1, with "yes" as true, octal 0644 and "<<"; but times are
 * strings. Unchanged numbers keep their notation.
 */
const kubernetesYaml = {
  version: "1.1",
  tags: (tags) => tags.filter((tag) => !isTime(tag)).map(withSource),
} as const satisfies YamlOptions;

type Tag = Tags[number];

function isTime(tag: Tag): boolean {
  if (typeof tag === "string") return tag === "timestamp";
  return tag.tag.endsWith(":timestamp") || ("format" in tag && tag.format === "TIME");
}

function withSource(tag: Tag): Tag {
  if (typeof tag === "string" || !/:(int|float)$/.test(tag.tag)) return tag;
  const { stringify } = tag;
  return {
    ...tag,
    stringify: (item, context, ...rest) =>
      (item as Scalar).source ?? stringify?.(item, context, ...rest) ?? `${item.value}`,
  } as Tag;
}
