import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { YamlError } from "./errors.ts";

/** Far above ordinary objects, far below a stack overflow of recursive walks. */
const maxDepth = 1000;
/** The limit of all alias expansions: nodes and characters. */
const maxAliased = 1_000_000;

/** Plain objects, lists and values. Aliases of one node share one object. Throws a YamlError. */
export function plainValue(document: Document): unknown {
  const isMerging = document.schema.tags.some(({ tag, default: when }) => isMergeTag(tag) && when);
  return new PlainReader(isMerging).read(document.contents);
}

function isMergeTag(tag: string): boolean {
  return tag === "tag:yaml.org,2002:merge";
}

interface Anchored {
  readonly node: unknown;
  value: unknown;
  /** The size with alias expansions; undefined while it is read. */
  size: number | undefined;
}

class PlainReader {
  readonly #isMerging: boolean;
  readonly #anchors = new Map<string, Anchored>();
  #size = 0;
  #aliased = 0;
  #depth = 0;

  constructor(isMerging: boolean) {
    this.#isMerging = isMerging;
  }

  read(node: unknown): unknown {
    if (isAlias(node)) return this.#resolve(node).value;
    if (this.#depth >= maxDepth) {
      throw new YamlError("TooDeep", `it is nested more than ${maxDepth} levels deep`);
    }
    const anchored = this.#remember(node);
    const before = this.#size;
    this.#depth += 1;
    const value = this.#valueOf(node);
    this.#depth -= 1;
    this.#size += 1 + (typeof value === "string" ? value.length : 0);
    if (anchored) Object.assign(anchored, { value, size: this.#size - before });
    return value;
  }

  #valueOf(node: unknown): unknown {
    if (isScalar(node)) return node.value;
    if (isMap(node)) return this.#mapping(node);
    if (isSeq(node)) return node.items.map((item) => this.read(item));
    return isPair(node) ? this.#mapping({ items: [node] }) : null;
  }

  #remember(node: unknown): Anchored | undefined {
    const { anchor } = Object(node) as { anchor?: string };
    if (anchor === undefined) return undefined;
    const anchored = { node, value: undefined, size: undefined };
    this.#anchors.set(anchor, anchored);
    return anchored;
  }

  #resolve(alias: Alias): Anchored {
    const anchored = this.#anchors.get(alias.source);
    if (anchored?.size === undefined) {
      const why = "Unresolved alias (the anchor must be set before the alias)";
      throw new YamlError("BadAlias", `${why}: ${alias.source}`);
    }
    this.#aliased += anchored.size;
    this.#size += anchored.size;
    if (this.#aliased > maxAliased) {
      const why = "Excessive alias count indicates a resource exhaustion attack";
      throw new YamlError("BadAlias", why);
    }
    return anchored;
  }

  #mapping({ items }: Pick<YAMLMap, "items">): Record<string, unknown> {
    const mapping: Record<string, unknown> = {};
    for (const { key, value } of items) {
      if (this.#isMerging && isScalar(key) && isMergeKey(key)) this.#merge(value, mapping);
      else {
        const name = this.#nameOf(key);
        define(mapping, name, this.read(value));
      }
    }
    return mapping;
  }

  #nameOf(node: unknown): string {
    const key = this.read(node);
    if (key === null) return "";
    if (typeof key !== "object") return String(key);
    throw new YamlError("BadKey", "a key is a list or a map");
  }

  #merge(node: unknown, mapping: Record<string, unknown>): void {
    const sources = isAlias(node) ? this.#resolve(node) : { node, value: this.read(node) };
    const isOne = isMap(sources.node);
    if (!isOne && !isSeq(sources.node)) throw badMerge();
    const values = isOne ? [sources.value] : (sources.value as readonly unknown[]);
    for (const value of values) addMissing(mapping, value);
  }
}

function addMissing(mapping: Record<string, unknown>, source: unknown): void {
  if (typeof source !== "object" || source === null || Array.isArray(source)) throw badMerge();
  for (const [name, value] of Object.entries(source)) {
    if (!Object.hasOwn(mapping, name)) define(mapping, name, value);
  }
}

function badMerge(): YamlError {
  return new YamlError("BadMerge", "Merge sources must be maps or map aliases");
}

function isMergeKey({ type, value }: Scalar): boolean {
  if (type !== undefined && type !== "PLAIN") return false;
  return value === "<<" || (typeof value === "symbol" && value.description === "<<");
}

/** Defines "__proto__" as an ordinary property. */
function define(mapping: Record<string, unknown>, name: string, value: unknown): void {
  if (!(name in mapping)) mapping[name] = value;
  else {
    const property = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(mapping, name, property);
  }
}
