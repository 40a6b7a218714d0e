import { type Document, LineCounter, parseAllDocuments, visit } from "yaml";
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
  const lineCounter = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter, ...kubernetesYaml });
  const parts = Array.isArray(parsed) ? (parsed as Document[]) : [];
  for (const { errors } of parts) {
    const [error] = errors;
    if (!error) continue;
    const { line } = lineCounter.linePos(error.pos[0]);
    const [why = error.message] = error.message.split(/ at line \d|\n/);
    throw new ManifestSyntaxError(line, why, { cause: error });
  }
  const documents = parts.map((part) => part.toJS() as unknown);
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
