import { parseYamlDocuments, plainValue, YamlError } from "@rookery/yaml";
import { type Document, visit } from "yaml";
import { ManifestSyntaxError } from "../errors.ts";
import { kubernetesYaml } from "./kubernetes-yaml.ts";
import { createNode, mergeChanges } from "./merge-changes.ts";

/** The documents of a text, each with the part of the text that it is. */
export interface ManifestFile {
  readonly documents: readonly unknown[];
  /** The text again, with other documents in the place of these; those that are the same stay byte for byte. */
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
  // What one alias stands for may change here and not there.
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
