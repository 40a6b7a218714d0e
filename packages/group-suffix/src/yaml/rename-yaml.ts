import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  parseAllDocuments,
  type Scalar,
  stringify,
  visit,
} from "yaml";
import { UnreadableBodyError } from "../errors.ts";
import { applyEdits, type TextEdit } from "../forms/form.ts";
import type { WalkContext } from "../json/walk-context.ts";
import { type ObjectPath, ObjectWalker } from "../object/object-walker.ts";
import type { RuleNode } from "../rules/rule-node.ts";

/** Large numbers stay what they are. */
const options = { merge: true, intAsBigInt: true, logLevel: "silent" } as const;
const onOneLine = {
  collectionStyle: "flow",
  lineWidth: 0,
  defaultStringType: "QUOTE_DOUBLE",
  doubleQuotedAsJSON: true,
} as const;
const plain = /^[A-Za-z][A-Za-z0-9./-]*$/;

/** Renames in place: a scalar gets its new text, and everything else stays as it is written. */
export function renameYaml(body: Uint8Array, root: RuleNode, context: WalkContext): Uint8Array {
  const text = decode(body);
  const edits = documentsOf(text).flatMap((document) => documentEdits(document, root, context));
  return edits.length === 0 ? body : Buffer.from(applyEdits(text, edits.sort(byStart)));
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw new UnreadableBodyError("YAML", "it is not UTF-8", { cause });
  }
}

function documentsOf(text: string): Document.Parsed[] {
  const documents = parseAllDocuments(text, options);
  const parsed = Array.isArray(documents) ? documents : [];
  for (const { errors } of parsed) {
    // The library's message shows a part of the body: it may hold a secret.
    if (errors.length > 0)
      throw new UnreadableBodyError("YAML", `it is malformed (${errors[0]?.code})`);
  }
  return parsed;
}

function documentEdits(
  document: Document.Parsed,
  root: RuleNode,
  context: WalkContext,
): TextEdit[] {
  const edits: (TextEdit | undefined)[] = [];
  const walker = new ObjectWalker(context, (path, text, isKey) => {
    edits.push(scalarEdit(scalarAt(document, path, isKey), text));
  });
  const value = plainValue(document);
  const renamed = walker.walk(value, root);
  if (renamed === value) return [];
  const found = edits.filter((edit) => edit !== undefined);
  // What is written once and meant several times cannot be renamed in place.
  return found.length === edits.length && !sharesNodes(document)
    ? found
    : [{ ...contentsOf(document), text: `${stringify(renamed, onOneLine).trimEnd()}\n` }];
}

function plainValue(document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    throw new UnreadableBodyError("YAML", "its aliases cannot be resolved", { cause });
  }
}

function scalarAt(document: Document.Parsed, path: ObjectPath, isKey: boolean): Scalar | undefined {
  if (!isKey) return asScalar(document.getIn(path, true));
  const map = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(map)) return undefined;
  return asScalar(map.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))?.key);
}

function asScalar(node: unknown): Scalar | undefined {
  return isScalar(node) ? node : undefined;
}

/** Undefined for a block, whose text is indented. */
function scalarEdit(scalar: Scalar | undefined, text: string): TextEdit | undefined {
  const [start, end] = scalar?.range ?? [];
  if (start === undefined || end === undefined || scalar?.type?.startsWith("BLOCK")) {
    return undefined;
  }
  if (scalar?.type === "QUOTE_SINGLE")
    return { start, end, text: `'${text.replaceAll("'", "''")}'` };
  const isPlain = scalar?.type === "PLAIN" && plain.test(text);
  return { start, end, text: isPlain ? text : JSON.stringify(text) };
}

function sharesNodes(document: Document.Parsed): boolean {
  let shares = false;
  visit(document, {
    Node(_, node) {
      shares ||= isAlias(node);
    },
  });
  return shares;
}

function contentsOf({ contents }: Document.Parsed): Pick<TextEdit, "start" | "end"> {
  const [start = 0, , end = 0] = contents?.range ?? [];
  return { start, end };
}

function byStart(a: TextEdit, b: TextEdit): number {
  return a.start - b.start;
}
