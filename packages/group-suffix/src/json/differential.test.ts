import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { renameByReference } from "../../test/json/reference.ts";
import { exampleMapping as mapping } from "../../test/rules/kinds.ts";
import { renameObject } from "../object/object-walker.ts";
import { builtInKinds } from "../rules/built-in-kinds.ts";
import { createJsonRenamers } from "./json-renamer.ts";

const { review: renamer } = createJsonRenamers({ mapping });

const kinds = builtInKinds.filter(({ kind }) => kind !== "Table" && kind !== "AdmissionReview");
const keys = [
  ...new Set(
    kinds.flatMap(({ fields, names = {} }) =>
      [...Object.keys(fields), ...Object.keys(names), ...Object.values(names)].flatMap((path) =>
        path.split(/[.[\]{}']+/),
      ),
    ),
  ),
  ..."metadata ownerReferences managedFields annotations apiVersion kind items fieldsV1 spec".split(
    " ",
  ),
].filter((key) => key !== "");

const suffix = fc.constantFrom("example.com", "team1.org", "other.io");
const texts = fc.oneof(
  suffix.map((text) => `a.${text}`),
  suffix.map((text) => `a.${text}/v1`),
  suffix.map((text) => `crontabs.a.${text}`),
  suffix.map((text) => `<b> "a.${text}/v1", 'é\n'`),
  suffix.map((text) => `/apis/a.${text}/v1`),
  fc.constantFrom("customresourcedefinitions", "CustomResourceDefinition", "v1", "", "\u2028"),
);
const apiVersions = fc.oneof(
  texts,
  fc.constantFrom(...new Set(kinds.map(({ group }) => (group === "" ? "v1" : `${group}/v1`)))),
);
const kindNames = fc.constantFrom(...kinds.flatMap(({ kind }) => [kind, `${kind}List`]), "CronTab");

/** Objects that look like Kubernetes' and are as wrong as can be. */
const { object } = fc.letrec<{ object: object; value: unknown }>((tie) => ({
  object: fc
    .tuple(
      fc.option(kindNames, { nil: undefined }),
      fc.option(apiVersions, { nil: undefined }),
      fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 6 }),
      fc.boolean(),
    )
    .map(([kind, apiVersion, fields, first]) => {
      const own = { ...(kind && { kind }), ...(apiVersion && { apiVersion }) };
      const { kind: _, apiVersion: __, ...rest } = fields;
      return first ? { ...own, ...rest } : { ...rest, ...own };
    }),
  value: fc.oneof(
    { depthSize: "small", maxDepth: 5 },
    texts,
    fc.constantFrom(null, true, 1, 1.5e300),
    tie("object"),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));

/** Objects of a kind, with fields that it has. */
const typical = fc.constantFrom(...kinds).chain(({ group, kind, fields, names = {} }) => {
  const paths = [...Object.keys(fields), ...Object.keys(names)];
  const filled = fc.array(fc.tuple(fc.constantFrom(...paths), fc.oneof(texts, object)), {
    maxLength: 6,
  });
  return filled.map((values) => {
    const built: Record<string, unknown> = {
      kind,
      apiVersion: group === "" ? "v1" : `${group}/v1`,
    };
    for (const [path, value] of values) put(built, path.split(/\.|(?=\[)/), value);
    return built;
  });
});

describe("renaming bytes does what parsing, renaming and stringifying does", () => {
  const bodies = fc.oneof(object, typical).filter(isReadable);

  it("to whole bodies, and back byte for byte", () => {
    fc.assert(
      fc.property(bodies, fc.constantFrom(undefined, 2), (body, indent) => {
        const bytes = Buffer.from(JSON.stringify(body, undefined, indent));
        const renamed = renamer.rename(bytes, undefined);
        const text = Buffer.from(renamed).toString();
        assert.equal(
          JSON.stringify(JSON.parse(text)),
          renameByReference(bytes.toString(), mapping),
        );
        assert.deepEqual(Buffer.from(renamer.rename(renamed, undefined)), bytes);
        if (text === bytes.toString()) assert.equal(renamed, bytes);
      }),
      { numRuns: 500 },
    );
  });

  it("to bodies in pieces", () => {
    fc.assert(
      fc.property(bodies, fc.array(fc.nat(30), { minLength: 1 }), (body, sizes) => {
        const bytes = Buffer.from(JSON.stringify(body));
        const stream = renamer.stream(undefined);
        const parts: Uint8Array[] = [];
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const end = at + 1 + (sizes[i % sizes.length] ?? 0);
          parts.push(...stream.push(bytes.subarray(at, end)));
          at = end;
        }
        const text = Buffer.concat([...parts, ...stream.end()]).toString();
        assert.equal(text, Buffer.from(renamer.rename(bytes, undefined)).toString());
      }),
      { numRuns: 300 },
    );
  });

  it("and what renaming objects does", () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const plain = JSON.parse(JSON.stringify(body));
        const renamed = Buffer.from(renamer.rename(Buffer.from(JSON.stringify(plain)), undefined));
        assert.deepEqual(renameObject(plain, { mapping }), JSON.parse(renamed.toString()));
      }),
      { numRuns: 200 },
    );
  });
});

/** A list whose items turn out to be of another kind than it is refused: see Frame. */
function isReadable(body: object): boolean {
  try {
    renamer.rename(Buffer.from(JSON.stringify(body)), undefined);
    return true;
  } catch (error) {
    if (/of another kind than the list/.test(String(error))) return false;
    throw error;
  }
}

/** Puts a value at a path, with one element in each list on the way. */
function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = "", ...rest] = path;
  const key = first.replace(/^\['(.*)'\]$/, "$1");
  if (key === "{}") {
    if (typeof value === "string") target[value] = "1";
  } else if (rest[0] === "[]") {
    const inner: Record<string, unknown> = {};
    if (rest.length > 1) put(inner, rest.slice(1), value);
    target[key] = [rest.length > 1 ? inner : value];
  } else if (rest.length === 0) target[key] = value;
  else {
    const inner = target[key];
    const next = typeof inner === "object" && inner !== null && !Array.isArray(inner) ? inner : {};
    target[key] = next;
    put(next as Record<string, unknown>, rest, value);
  }
}
