import { parseYamlDocuments, plainValue, YamlError } from "@rookery/yaml";
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  stringify,
  visit,
  type YAMLMap,
} from "yaml";
import { type BodyRenamer, wholeBodyRenamer } from "../body-renamer.ts";
import { UnreadableBodyError } from "../errors.ts";
import { applyEdits, type TextEdit } from "../forms/form.ts";
import { ifReadable } from "../group-suffix-error.ts";
import { createJsonRenamer } from "../json/json-renamer.ts";
import { createNeedles } from "../json/needles.ts";
import { TextRenamer } from "../json/text-renamer.ts";
import type { WalkContext } from "../json/walk-context.ts";
import { type ObjectPath, ObjectWalker } from "../object/object-walker.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import type { RuleNode } from "../rules/rule-node.ts";
import { ruleSetOf } from "../rules/rule-set.ts";

/** Keeps large numbers exact. */
const options = { merge: true, intAsBigInt: true } as const;
const onOneLine = {
  collectionStyle: "flow",
  lineWidth: 0,
  defaultStringType: "QUOTE_DOUBLE",
  doubleQuotedAsJSON: true,
} as const;
const plain = /^[A-Za-z][A-Za-z0-9./-]*$/;

/** Renames scalars in place, and keeps all other text. */
function renameYaml(body: Uint8Array, root: RuleNode, context: WalkContext): Uint8Array {
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
  const documents = readable(() => parseYamlDocuments(text, options));
  for (const { errors } of documents) {
    if (errors.length > 0)
      throw new UnreadableBodyError("YAML", `it is malformed (${errors[0]?.code})`);
  }
  return documents;
}

/**
 * The error contains neither a part of the body, which may be a secret, nor the name of an anchor.
 */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const why = error.code === "BadAlias" ? "its aliases cannot be resolved" : error.message;
    throw new UnreadableBodyError("YAML", why, { cause: error });
  }
}

function documentEdits(
  document: Document.Parsed,
  root: RuleNode,
  context: WalkContext,
): TextEdit[] {
  const edits: (TextEdit | undefined)[] = [];
  const scalars = new ScalarFinder(document);
  const walker = new ObjectWalker(context, (path, text, isKey) => {
    edits.push(scalarEdit(scalars.at(path, isKey), text));
  });
  const value = readable(() => plainValue(document));
  const renamed = walker.walk(value, root);
  if (renamed === value) return [];
  const found = edits.filter((edit) => edit !== undefined);
  // Aliased nodes cannot be renamed in place.
  return found.length === edits.length && !sharesNodes(document)
    ? found
    : [{ ...contentsOf(document), text: `${stringify(renamed, onOneLine).trimEnd()}\n` }];
}

/** Finds the node of a value or a key, with an index of each map. */
class ScalarFinder {
  readonly #contents: unknown;
  readonly #pairs = new Map<YAMLMap, ReadonlyMap<unknown, Pair>>();

  constructor({ contents }: Document.Parsed) {
    this.#contents = contents;
  }

  at(path: ObjectPath, isKey: boolean): Scalar | undefined {
    let pair: Pair | undefined;
    let node = this.#contents;
    for (const step of path) {
      pair = isMap(node) ? this.#pairsOf(node).get(step) : undefined;
      node = isSeq(node) ? node.items[Number(step)] : pair?.value;
    }
    return asScalar(isKey ? pair?.key : node);
  }

  #pairsOf(map: YAMLMap): ReadonlyMap<unknown, Pair> {
    const known = this.#pairs.get(map);
    if (known) return known;
    const pairs = new Map(
      map.items.map((pair) => [isScalar(pair.key) ? pair.key.value : pair.key, pair]),
    );
    this.#pairs.set(map, pairs);
    return pairs;
  }
}

function asScalar(node: unknown): Scalar | undefined {
  return isScalar(node) ? node : undefined;
}

/** Undefined for a block scalar, whose text is indented. */
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

/**
 * Renames objects in YAML, and keeps all other text. JSON bodies are renamed as JSON. Errors:
 * InvalidRuleError.
 */
export function createYamlRenamer(options: RenamerOptions): BodyRenamer {
  const { mapping } = options;
  const rules = ruleSetOf(options);
  const json = createJsonRenamer(options);
  const mayMatch = createNeedles(mapping);
  return wholeBodyRenamer("YAML", (body, target) => {
    const isMapped = target !== undefined && mapping.swap(target.group) !== target.group;
    if (!isMapped && !mayMatch(body)) return body;
    // YAML may begin with a brace too.
    const asJson = looksLikeJson(body) ? ifReadable(() => json.rename(body, target)) : undefined;
    if (asJson !== undefined) return asJson;
    const context = new TextRenamer(mapping, rules, rules.kindOf(target));
    return renameYaml(body, rules.object, context);
  });
}

function looksLikeJson(body: Uint8Array): boolean {
  return body[0] === 0x7b;
}
