import { messageOf } from "@rookery/errors";
import { requestEntityTooLargeError } from "@rookery/kube";
import { parseYamlDocuments, plainValue, YamlError } from "@rookery/yaml";
import { type Document, isMap, isScalar, LineCounter, type Node, visit } from "yaml";
import { DecodeError } from "./decode-error.ts";
import { type NumberLiterals, parseWithLiterals } from "./number-literals.ts";
import { type Parsed, parseJson } from "./parse-json.ts";
import { describeYamlError } from "./yaml-error.ts";

/** Missing in the library's types. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/**
 * Converts parsed YAML like Kubernetes: through JSON, with exact integers of up to 64 bits and
 * other numbers as Go prints them. `literals` is set for YAML that is JSON.
 */
function readYamlNumbers(
  value: unknown,
  literals?: NumberLiterals,
): { readonly value: unknown; readonly literals?: NumberLiterals } {
  const json = JSON.stringify(value, function (this: object, key: string, each: unknown) {
    if (typeof each === "bigint") return integer(each);
    if (typeof each !== "number") return each;
    const literal = literals?.get(this)?.get(key);
    if (literal !== undefined && /^-?\d+$/.test(literal)) return integer(BigInt(literal));
    return Number.isFinite(each) ? each : (literal ?? refuseEndless(each));
  });
  return parseWithLiterals(json) ?? { value: JSON.parse(json) as unknown };
}

/** Larger ones are floats in Go, too. */
function integer(value: bigint): unknown {
  const isExact = [BigInt.asIntN(64, value), BigInt.asUintN(64, value)].includes(value);
  return isExact ? rawJSON(String(value)) : Number(value);
}

function refuseEndless(value: number): never {
  const shown = Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  throw new DecodeError(`json: unsupported value: ${shown}`);
}

/**
 * Corrects numbers that the library reads differently than Go: out-of-range numbers such as 1e400
 * are strings, and 0o10 is 8.
 */
function correctNumbers(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, scalar) {
      const { value, type, source = "" } = scalar;
      if (type !== "PLAIN") return;
      if (typeof value === "number" && !Number.isFinite(value) && !isEndless.test(source)) {
        scalar.value = source;
      } else if (typeof value === "string" && isOctal.test(value)) {
        const digits = BigInt(value.replace(/[-+_]/g, ""));
        scalar.value = value.startsWith("-") ? -digits : digits;
      }
    },
  });
}

const isEndless = /^[-+]?\.(?:inf|nan)$/i;
const isOctal = /^[-+]?0o[0-7][0-7_]*$/;

/** YAML takes a thousand times as long to parse as JSON. */
const maxBytes = 1024 * 1024;
const maxDepth = 1000;

/**
 * Parses the first document of YAML 1.1 like Kubernetes. Most YAML bodies are JSON. Throws a
 * DecodeError, and a 413 for YAML that would block other requests.
 */
export function parseYaml(body: Uint8Array, strict: boolean): Parsed {
  const asJson = tryJson(body, strict);
  if (asJson) return asJson;
  if (body.byteLength > maxBytes) {
    throw requestEntityTooLargeError(`limit is ${maxBytes} for YAML, send JSON instead`);
  }
  const text = new TextDecoder().decode(body);
  assertDepth(text);
  const lines = new LineCounter();
  const [document] = documentsOf(text, lines);
  if (document === undefined) return { value: null, strictProblems: [] };
  const [error] = document.errors;
  if (error) throw new DecodeError(describeYamlError(text, document.errors), { cause: error });
  const duplicates = strict ? repeatedKeys(document.contents, lines) : [];
  return { ...readYamlNumbers(toPlain(document)), strictProblems: duplicates };
}

function documentsOf(text: string, lineCounter: LineCounter): Document.Parsed[] {
  try {
    return parseYamlDocuments(text, {
      version: "1.1",
      tags: (tags) => tags.filter((tag) => typeof tag === "string" || !isText(tag)),
      // Preserves large integers.
      intAsBigInt: true,
      allowDuplicates: true,
      lineCounter,
    });
  } catch (cause) {
    if (cause instanceof YamlError) throw new DecodeError(`yaml: ${cause.message}`, { cause });
    throw cause;
  }
}

/** Duplicates are left to the YAML reader, which has other messages. */
function tryJson(body: Uint8Array, strict: boolean): Parsed | undefined {
  try {
    const parsed = parseJson(body, strict);
    if (parsed.strictProblems.length > 0) return undefined;
    return parsed.literals
      ? { ...parsed, ...readYamlNumbers(parsed.value, parsed.literals) }
      : parsed;
  } catch {
    return undefined;
  }
}

/** Bounds the nesting by counting brackets and indicators, without parsing. */
function assertDepth(text: string): void {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  for (const [indicators] of text.matchAll(/(?:[-?:] )+/g)) {
    deepest = Math.max(deepest, indicators.length / 2);
  }
  if (deepest > maxDepth) throw new DecodeError(`yaml: exceeded max depth of ${maxDepth}`);
}

/** Timestamps and base-60 numbers such as 1:30 are strings. */
function isText({ tag, format }: { readonly tag: string; readonly format?: string }): boolean {
  return tag === "tag:yaml.org,2002:timestamp" || format === "TIME";
}

function toPlain(document: Document.Parsed): unknown {
  try {
    correctNumbers(document);
    return plainValue(document) ?? null;
  } catch (cause) {
    const why = messageOf(cause);
    const [, anchor] = /^Unresolved alias .*: (.+)$/.exec(why) ?? [];
    throw new DecodeError(`yaml: ${anchor ? `unknown anchor '${anchor}' referenced` : why}`, {
      cause,
    });
  }
}

/** One text for all, as Kubernetes' strict reader reports them. */
function repeatedKeys(contents: unknown, lines: LineCounter): string[] {
  const found: string[] = [];
  visit(contents as Node, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of isMap(map) ? map.items : []) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          const { line } = lines.linePos(key.range?.[0] ?? 0);
          found.push(`  line ${line}: key ${shown(key.value)} already set in map`);
        }
        seen.add(key.value);
      }
    },
  });
  return found.length === 0 ? [] : [`yaml: unmarshal errors:\n${found.join("\n")}`];
}

function shown(key: unknown): string {
  return typeof key === "bigint" ? String(key) : JSON.stringify(key);
}
