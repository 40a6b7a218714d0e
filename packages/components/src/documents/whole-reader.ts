import { parseYamlDocument, YamlError } from "@rookery/yaml";
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type YAMLMap,
} from "yaml";
import { DocumentError } from "../errors.ts";
import { resolveScalar } from "./scalar.ts";
import type { DocumentSource } from "./split-documents.ts";

/** More nodes than any components file has; it limits aliases of aliases. */
const nodeLimit = 1_000_000;

/** Reads a document with a complete YAML parser. Throws DocumentError. */
export function readWhole(source: DocumentSource): unknown {
  try {
    return readNodes(source);
  } catch (error) {
    const place = { document: source.index, line: source.line };
    if (error instanceof YamlError) throw new DocumentError(place, error.message, { cause: error });
    if (!(error instanceof RangeError)) throw error;
    throw new DocumentError(place, "it is nested too deeply", { cause: error });
  }
}

function readNodes(source: DocumentSource): unknown {
  const lines = new LineCounter();
  const options = { schema: "failsafe", allowDuplicates: true, lineCounter: lines } as const;
  const document = parseYamlDocument(source.text, options);
  const fail = (offset: number, reason: string): never => {
    const line = source.line + lines.linePos(offset).line - 1;
    throw new DocumentError({ document: source.index, line }, reason);
  };
  const [error] = document.errors;
  if (error?.code === "RESOURCE_EXHAUSTION") throw new RangeError(error.message);
  if (error) fail(error.pos[0], error.message);
  return new NodeReader(fail).read(document.contents);
}

class NodeReader {
  readonly #anchors = new Map<string, unknown>();
  readonly #fail: (offset: number, reason: string) => never;
  #nodes = 0;

  constructor(fail: (offset: number, reason: string) => never) {
    this.#fail = fail;
  }

  read(node: unknown): unknown {
    this.#nodes += 1;
    if (this.#nodes > nodeLimit) this.#refuse(node, "its aliases expand to too much");
    if (isAlias(node)) return this.read(this.#anchored(node));
    const value = this.#valueOf(node);
    // Added last, as an alias inside of its own anchor has no end.
    this.#remember(node);
    return value;
  }

  #valueOf(node: unknown): unknown {
    if (isMap(node)) return this.#mapping(node);
    if (isSeq(node)) return node.items.map((item) => this.read(item));
    return isScalar(node) ? this.#scalar(node) : null;
  }

  #remember(node: unknown): void {
    const { anchor } = Object(node) as { anchor?: string };
    if (anchor) this.#anchors.set(anchor, node);
  }

  #anchored(alias: Alias): unknown {
    const node = this.#anchors.get(alias.source);
    return node ?? this.#refuse(alias, `nothing before it has the anchor ${alias.source}`);
  }

  #mapping(node: YAMLMap): Record<string, unknown> {
    const own: Record<string, unknown> = {};
    const merged: Record<string, unknown> = {};
    for (const { key, value } of node.items) {
      if (isScalar(key) && key.source === "<<" && key.type === "PLAIN") {
        for (const each of [this.read(value)].flat()) Object.assign(merged, each, { ...merged });
        continue;
      }
      const name = this.#keyOf(key);
      if (Object.hasOwn(own, name))
        this.#refuse(key, `the key ${JSON.stringify(name)} is there twice`);
      define(own, name, this.read(value));
    }
    return Object.keys(merged).length > 0 ? { ...merged, ...own } : own;
  }

  #keyOf(node: unknown): string {
    const key = this.read(node);
    const usable = key !== null && typeof key !== "object";
    return usable ? String(key) : this.#refuse(node, "a key is neither text nor a number");
  }

  #scalar(node: { source?: string; value: unknown; type?: string; tag?: string }): unknown {
    const text = String(node.value ?? "");
    const isPlain = node.type === "PLAIN" && !node.tag?.endsWith(":str") && node.tag !== "!";
    if (node.tag?.endsWith(":binary")) this.#refuse(node, "binary values do not fit into JSON");
    const value = isPlain ? resolveScalar(text) : text;
    const isJson = typeof value !== "number" || Number.isFinite(value);
    return isJson ? value : this.#refuse(node, `the number ${text} does not fit into JSON`);
  }

  #refuse(node: unknown, reason: string): never {
    return this.#fail((node as Partial<Node> | undefined)?.range?.[0] ?? 0, reason);
  }
}

/** A plain property also where the name is "__proto__". */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  const property = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(object, name, property);
}
