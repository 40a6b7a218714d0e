import { Document, isPair, visit } from "yaml";
import { UsageError } from "../errors.ts";
import { ownRelease } from "../own-providers.ts";

/** The documents of one file of a release. Throws UsageError for an unknown file. */
export async function releaseDocuments(
  provider: string,
  { file, image }: { readonly file: string; readonly image: string },
): Promise<readonly object[]> {
  const render = await ownRelease(provider).load();
  const files = await render({ image });
  const documents = files.get(file);
  if (documents) return documents;
  throw new UsageError(`--file "${file}" is not there: there are ${[...files.keys()].join(", ")}.`);
}

/** A file of a release as it is published, with its variables. */
export function releaseText(documents: readonly object[]): string {
  return documents.map((document) => `---\n${textOf(document)}`).join("");
}

/**
 * Quotes variables, so that the replaced value stays a string; in Secrets it writes literal blocks,
 * where a value may contain quotes. A variable whose default is a number, or an explicit string,
 * stays unquoted.
 */
function textOf(manifest: object): string {
  const document = new Document(manifest, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node, path) {
      const text = String(node.value);
      if (!text.includes("${") || /^\$\{\w+:=(\d+|"")\}$/.test(text)) return;
      const isSecret = path.some((one) => isPair(one) && String(one.key) === "stringData");
      node.type = isSecret ? "BLOCK_LITERAL" : "QUOTE_SINGLE";
    },
  });
  return document.toString({ lineWidth: 0 });
}
