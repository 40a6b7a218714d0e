import {
  type Document,
  type DocumentOptions,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type ParseOptions,
  parseAllDocuments,
  parseDocument,
  type SchemaOptions,
  type Tags,
  YAMLParseError,
} from "yaml";
import { YamlError } from "./errors.ts";
import { plainValue } from "./plain-value.ts";

type Settings = Pick<ParseOptions, "intAsBigInt" | "lineCounter"> &
  Pick<DocumentOptions, "version"> &
  Pick<SchemaOptions, "schema" | "merge">;

export interface YamlOptions extends Settings {
  /** Removes or changes tags of the schema. */
  readonly tags?: (tags: Tags) => Tags;
  /** Whether keys may repeat; the last one wins. */
  readonly allowDuplicates?: boolean;
  /** The limit of the text; 3 MiB by default, as for requests. */
  readonly maxBytes?: number;
}

const maxBytes = 3 * 1024 * 1024;
/** Each document of YAML 1.1 inherits those of all documents before it. */
const maxTagDirectives = 64;

/**
 * The documents of a text with their errors, in linear time: slow features of the library are
 * disabled and replaced here. Throws a YamlError.
 */
export function parseYamlDocuments(text: string, options: YamlOptions = {}): Document.Parsed[] {
  const lines = options.lineCounter ?? new LineCounter();
  const settings = settingsOf(text, options, lines);
  const documents = withoutStacks(() => parseAllDocuments(text, settings));
  const parsed = Array.isArray(documents) ? (documents as Document.Parsed[]) : [];
  for (const document of parsed) complete(document, options, lines);
  return parsed;
}

/** The only document of a text; further ones are an error of it. Throws a YamlError. */
export function parseYamlDocument(text: string, options: YamlOptions = {}): Document.Parsed {
  const lines = options.lineCounter ?? new LineCounter();
  const settings = settingsOf(text, options, lines);
  const document = withoutStacks(() => parseDocument(text, settings)) as Document.Parsed;
  complete(document, options, lines);
  return document;
}

/** The value of the only document of a text. Throws a YamlError. */
export function parseYaml(text: string, options: YamlOptions = {}): unknown {
  return readValue(parseYamlDocument(text, options));
}

/** The values of all documents; null for an empty one. Throws a YamlError. */
export function parseYamlValues(text: string, options: YamlOptions = {}): unknown[] {
  return parseYamlDocuments(text, options).map(readValue);
}

function readValue(document: Document.Parsed): unknown {
  const [error] = document.errors;
  if (error === undefined) return plainValue(document);
  if (error.code === "RESOURCE_EXHAUSTION") {
    throw new YamlError("TooDeep", "it is nested too deeply");
  }
  const [{ line = 0, col = 0 } = {}] = error.linePos ?? [];
  throw new YamlError("Malformed", `${error.message} at line ${line}, column ${col}`);
}

/** Without stack traces a text with an error per character is read ten times as fast. */
function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function settingsOf(text: string, options: YamlOptions, lineCounter: LineCounter) {
  assertSize(text, options.maxBytes ?? maxBytes);
  const { tags = (all: Tags) => all, allowDuplicates: _, maxBytes: __, ...settings } = options;
  return {
    ...settings,
    lineCounter,
    // Errors would contain the line, which may be the whole text.
    prettyErrors: false,
    // Takes quadratic time.
    uniqueKeys: false,
    // Other collections are not JSON, and ordered maps take quadratic time.
    resolveKnownTags: false,
    customTags: (all: Tags) => tags(all.filter((tag) => !isForeign(tag))),
    logLevel: "error",
  } as const;
}

function assertSize(text: string, limit: number): void {
  if (text.length > limit || Buffer.byteLength(text) > limit) {
    throw new YamlError("TooLarge", `it has more than ${limit} bytes`);
  }
  let directives = 0;
  for (const _ of text.matchAll(/^%TAG/gm)) directives++;
  if (directives > maxTagDirectives) {
    throw new YamlError("TooManyTags", `it has more than ${maxTagDirectives} %TAG directives`);
  }
}

const foreign: ReadonlySet<string> = new Set(["omap", "pairs", "set", "binary"]);

function isForeign(tag: Tags[number]): boolean {
  if (typeof tag === "string") return foreign.has(tag);
  // Sexagesimal numbers such as 1:30 take quadratic time.
  if ("format" in tag && tag.format === "TIME") return true;
  return foreign.has(tag.tag.replace("tag:yaml.org,2002:", ""));
}

/** Adds the disabled checks of the library. */
function complete(document: Document.Parsed, options: YamlOptions, lines: LineCounter): void {
  const { errors } = document;
  if (options.allowDuplicates !== true) {
    errors.push(...duplicateKeys(document).slice(0, 1));
    errors.sort((a, b) => a.pos[0] - b.pos[0]);
  }
  const [first] = errors;
  if (first === undefined) return;
  first.linePos = [lines.linePos(first.pos[0])];
}

/** Repeated keys of all maps, in the library's words. */
function duplicateKeys({ contents }: Pick<Document.Parsed, "contents">): YAMLParseError[] {
  const found: YAMLParseError[] = [];
  const open: unknown[] = [contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isMap(node)) addRepeated(node.items, found);
    if (isMap(node) || isSeq(node)) for (const item of node.items) open.push(item);
    else if (isPair(node)) open.push(node.key, node.value);
  }
  return found.sort((a, b) => a.pos[0] - b.pos[0]);
}

function addRepeated(items: readonly { readonly key: unknown }[], found: YAMLParseError[]): void {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) {
      const start = key.range?.[0] ?? 0;
      found.push(
        new YAMLParseError([start, start + 1], "DUPLICATE_KEY", "Map keys must be unique"),
      );
    }
    seen.add(key.value);
  }
}
