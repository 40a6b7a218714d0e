import { Document, isPair, visit } from "yaml";

/** A file of a release, as it is published: a YAML document an object, its variables still in it. */
export function releaseText(documents: readonly object[]): string {
  return documents.map((document) => `---\n${textOf(document)}`).join("");
}

/**
 * Quoted, so that what replaces a variable stays a string, whatever it looks like; in Secrets as
 * literal blocks, where it may hold quotes as well. A variable whose default is a
 * number, or says itself that it is text, stands for itself.
 */
function textOf(manifest: object): string {
  const document = new Document(manifest, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node, path) {
      if (!String(node.value).includes("${") || /^\$\{\w+:=(\d+|"")\}$/.test(String(node.value)))
        return;
      const isSecret = path.some((one) => isPair(one) && String(one.key) === "stringData");
      node.type = isSecret ? "BLOCK_LITERAL" : "QUOTE_SINGLE";
    },
  });
  return document.toString({ lineWidth: 0 });
}
