/**
 * Writes src/types/testdata/go-codec.json.gz: what Kubernetes' own Go code makes of objects that are
 * filled at random, and of bodies in which one value was replaced by another.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ensureGoProgram, runCommand } from "@rookery/testing";

interface Question {
  readonly apiVersion: string;
  readonly kind: string;
  readonly seed?: number;
  readonly body?: string;
}

interface Answer {
  readonly json?: object;
  readonly protobuf?: string;
  readonly strict?: readonly string[];
  readonly error?: string;
}

type Path = readonly (string | number)[];

const seed = 1;
const mutationsOfEach = 40;
/** Values of every type, to put in the place of others. */
const strangers: readonly unknown[] = [
  ...["", "text", "12", "YQ==", "2026-01-02T03:04:05Z", "5Mi", 0, 7, -1, 1.5, 2 ** 31, 2 ** 53],
  ...[true, false, null, [], [null], [1], ["text"], [{}], [[]], {}, { typo: 1 }, { "": null }],
];

const program = await ensureGoProgram(join(import.meta.dirname, "go/codec"));
const objects = await filledObjects();
const mutations = objects.flatMap(({ json }, object) => mutationsOf(json, object));
const outcomes = await askGo(
  mutations.map(({ object, path, value }) => {
    const { apiVersion, kind, json } = objects[object] ?? { apiVersion: "", kind: "", json: {} };
    return { apiVersion, kind, body: JSON.stringify(replaced(json, path, value)) };
  }),
);
const data = {
  objects,
  mutations: mutations.map((mutation, i) => ({ ...mutation, ...outcomeOf(outcomes[i] ?? {}) })),
};
const folder = join(import.meta.dirname, "../test/types/testdata");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "go-codec.json.gz"), gzipSync(JSON.stringify(data), { level: 9 }));
console.log(`${objects.length} objects, ${mutations.length} mutations`);

async function askGo(questions: readonly Question[]): Promise<Answer[]> {
  const printed = await runCommand(program, [], { stdin: JSON.stringify(questions) });
  return JSON.parse(printed) as Answer[];
}

/** One of every kind in the table. */
async function filledObjects() {
  const table = readFileSync(join(import.meta.dirname, "../src/generated/go-types.json"), "utf8");
  const kinds = Object.keys((JSON.parse(table) as { kinds: Record<string, string> }).kinds);
  const questions = kinds.map((name) => {
    const [first = "", kind] = name.split(" ");
    const typeMeta = kind ? { apiVersion: first, kind } : { apiVersion: "v1", kind: first };
    return { ...typeMeta, seed };
  });
  const answers = await askGo(questions);
  return questions.map(({ seed: _, ...typeMeta }, i) => {
    const { json = {}, protobuf = "" } = answers[i] ?? {};
    return { ...typeMeta, json, protobuf };
  });
}

function mutationsOf(json: object, object: number) {
  const paths = pathsIn(json).filter(([top]) => top !== "apiVersion" && top !== "kind");
  const numbers = createNumbers(object + 1);
  return Array.from({ length: mutationsOfEach }, () => {
    const path = paths[numbers(paths.length)] ?? ["metadata"];
    const key = path.at(-1);
    const beside = typeof key === "string" && numbers(5) === 0;
    const value = strangers[numbers(strangers.length)];
    return { object, path: beside ? [...path.slice(0, -1), "stranger"] : path, value };
  });
}

function pathsIn(value: unknown): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return [[key], ...pathsIn(part).map((path) => [key, ...path])];
  });
}

/** A small source of numbers that is the same on every run. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function replaced(json: object, path: Path, value: unknown): object {
  const copy = structuredClone(json);
  let holder = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as typeof holder;
  holder[path.at(-1) ?? ""] = value;
  return copy;
}

/** Of what was written, a hash is enough. */
function outcomeOf({ error, strict = [], json }: Answer) {
  if (error !== undefined) return { error };
  const hash = createHash("sha256").update(JSON.stringify(json)).digest("hex").slice(0, 16);
  return { ...(strict.length > 0 && { strict }), hash };
}
