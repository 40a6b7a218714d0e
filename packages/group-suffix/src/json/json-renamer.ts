import type { BodyRenamer, Target } from "../body-renamer.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import type { KindName, RuleNode } from "../rules/rule-node.ts";
import { type RuleSet, ruleSetOf } from "../rules/rule-set.ts";
import { renameDocument } from "./document.ts";
import { JsonStream } from "./json-stream.ts";
import { createNeedles } from "./needles.ts";
import { TextRenamer } from "./text-renamer.ts";

/** All JSON renamers of one rule set. */
export interface JsonRenamers {
  /** Objects, lists, Tables, Statuses, discovery, merge patches and applied configurations. */
  readonly object: BodyRenamer;
  /** AdmissionReviews and ConversionReviews, whose encoded patches hide group names from a scan. */
  readonly review: BodyRenamer;
  /** Watch events, one after another. */
  readonly watch: BodyRenamer;
  readonly jsonPatch: BodyRenamer;
  readonly openApi: BodyRenamer;
  readonly openApiIndex: BodyRenamer;
}

/** The documents of a renamer. */
interface Shape {
  root(kind: KindName | undefined): RuleNode;
  readonly documents?: "many";
  /** Whether a body without the mapped names needs no renaming. */
  readonly scan?: boolean;
}

/** Renames objects and other JSON of the API. Errors: InvalidRuleError. */
export function createJsonRenamer(options: RenamerOptions): BodyRenamer {
  return createJsonRenamers(options).object;
}

/** Renames watch events. Errors: InvalidRuleError. */
export function createJsonWatchRenamer(options: RenamerOptions): BodyRenamer {
  return createJsonRenamers(options).watch;
}

/** `markUrl` changes the URLs of the OpenAPI index after their paths were renamed. */
export function createJsonRenamers(
  options: RenamerOptions,
  markUrl: (url: string) => string = (url) => url,
): JsonRenamers {
  const rules = ruleSetOf(options);
  const renamer = (shape: Shape) => new JsonRenamer(options.mapping, rules, shape);
  const openApiIndex = rules.openApiIndex(markUrl);
  return {
    object: renamer({ root: () => rules.object, scan: true }),
    review: renamer({ root: () => rules.object }),
    watch: renamer({ root: () => rules.watchEvent, documents: "many", scan: true }),
    jsonPatch: renamer({ root: (kind) => rules.jsonPatch(kind), scan: true }),
    openApi: renamer({ root: () => rules.openApi }),
    openApiIndex: renamer({ root: () => openApiIndex }),
  };
}

class JsonRenamer implements BodyRenamer {
  readonly #mapping: GroupMapping;
  readonly #rules: RuleSet;
  readonly #shape: Shape;
  readonly #mayMatch: (body: Uint8Array) => boolean;

  constructor(mapping: GroupMapping, rules: RuleSet, shape: Shape) {
    this.#mapping = mapping;
    this.#rules = rules;
    this.#shape = shape;
    this.#mayMatch = shape.scan ? createNeedles(mapping) : () => true;
  }

  /** Bodies of mapped groups are always parsed, so that unreadable ones are rejected. */
  rename(body: Uint8Array, target: Target | undefined): Uint8Array {
    const isMapped = target !== undefined && this.#mapping.swap(target.group) !== target.group;
    if (!isMapped && !this.#mayMatch(body)) return body;
    if (this.#shape.documents === "many") return this.#renameAll(body, target);
    const { root, context } = this.#start(target);
    return renameDocument(body, root, context);
  }

  stream(target: Target | undefined): JsonStream {
    const { root, context } = this.#start(target);
    return new JsonStream(root, context, this.#shape.documents ?? "one");
  }

  #renameAll(body: Uint8Array, target: Target | undefined): Uint8Array {
    const stream = this.stream(target);
    const parts = [...stream.push(body), ...stream.end()];
    const [only] = parts;
    return only !== undefined && parts.length === 1 && isSame(only, body)
      ? body
      : Buffer.concat(parts);
  }

  #start(target: Target | undefined): { root: RuleNode; context: TextRenamer } {
    const kind = this.#rules.kindOf(target);
    const context = new TextRenamer(this.#mapping, this.#rules, kind);
    return { root: this.#shape.root(kind), context };
  }
}

/** Whether two arrays are the same memory. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.length === b.length;
}
