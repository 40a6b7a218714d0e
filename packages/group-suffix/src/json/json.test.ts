import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exampleMapping as mapping } from "../../test/rules/kinds.ts";
import { TruncatedBodyError, UnreadableBodyError } from "../errors.ts";
import { createGroupMapping } from "../mapping/group-mapping.ts";
import { createJsonRenamer, createJsonWatchRenamer } from "./json-renamer.ts";

const renamer = createJsonRenamer({ mapping });
const mapped = { group: "a.example.com", version: "v1", resource: "crontabs" };
const rename = (text: string, target?: typeof mapped) =>
  Buffer.from(renamer.rename(Buffer.from(text), target)).toString();

describe("JSON however it is written", () => {
  const rows: Record<string, [body: string, expected: string]> = {
    "with a key that is escaped": [
      '{"\\u0061piVersion":"a.example.com/v1"}',
      '{"\\u0061piVersion":"a.team1.org/v1"}',
    ],
    "with a name that is escaped": [
      '{"apiVersion":"\\u0061.\\u0065xample.com\\/v1"}',
      '{"apiVersion":"a.team1.org\\/v1"}',
    ],
    "with escapes beside the name": [
      '{"kind":"Status","apiVersion":"v1","message":"\\u003ca.example.com\\u003e \\"\\n\\ud83d\\ude00 a.example.com/v1\\u00e9"}',
      '{"kind":"Status","apiVersion":"v1","message":"\\u003ca.team1.org\\u003e \\"\\n\\ud83d\\ude00 a.team1.org/v1\\u00e9"}',
    ],
    "pretty-printed": [
      '\n{\n  "apiVersion" : "a.example.com/v1" ,\r\n\t"kind":"CronTab"\n}\n',
      '\n{\n  "apiVersion" : "a.team1.org/v1" ,\r\n\t"kind":"CronTab"\n}\n',
    ],
    "with numbers that JavaScript cannot hold": [
      '{"apiVersion":"a.example.com/v1","spec":{"a":9007199254740993,"b":1.0,"c":1E400}}',
      '{"apiVersion":"a.team1.org/v1","spec":{"a":9007199254740993,"b":1.0,"c":1E400}}',
    ],
    "with a key twice, each of which is renamed": [
      '{"apiVersion":"a.example.com/v1","apiVersion":"a.example.com/v1"}',
      '{"apiVersion":"a.team1.org/v1","apiVersion":"a.team1.org/v1"}',
    ],
    "with other types than are meant": [
      '{"apiVersion":["a.example.com/v1"],"kind":{},"metadata":"a.example.com","items":{"apiVersion":"a.example.com/v1"}}',
      '{"apiVersion":["a.example.com/v1"],"kind":{},"metadata":"a.example.com","items":{"apiVersion":"a.example.com/v1"}}',
    ],
    "with what applied before, escaped as Go does it": [
      '{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\\"apiVersion\\":\\"a.example.com/v1\\",\\"a\\":\\"\\u003cé\\u0026\\"}\\n"}}}',
      '{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\\"apiVersion\\":\\"a.team1.org/v1\\",\\"a\\":\\"\\u003cé\\u0026\\"}\\n"}}}',
    ],
    "with empty objects and lists": [
      '{"metadata":{"ownerReferences":[],"managedFields":[{}],"annotations":{}},"apiVersion":"a.example.com/v1"}',
      '{"metadata":{"ownerReferences":[],"managedFields":[{}],"annotations":{}},"apiVersion":"a.team1.org/v1"}',
    ],
    "with nulls": [
      '{"apiVersion":"a.example.com/v1","kind":null,"metadata":null,"items":[null]}',
      '{"apiVersion":"a.team1.org/v1","kind":null,"metadata":null,"items":[null]}',
    ],
  };
  for (const [name, [body, expected]] of Object.entries(rows)) {
    it(`${name} is renamed, and nothing else changes`, () => assert.equal(rename(body), expected));

    it(`${name} is renamed in pieces of any length`, () => {
      const bytes = Buffer.from(body);
      for (let size = 1; size <= bytes.length; size++) {
        const stream = renamer.stream(undefined);
        const parts: Uint8Array[] = [];
        for (let i = 0; i < bytes.length; i += size) {
          parts.push(...stream.push(bytes.subarray(i, i + size)));
        }
        assert.equal(Buffer.concat([...parts, ...stream.end()]).toString(), expected);
      }
    });
  }

  it("is the very same array where nothing matches, whether it is scanned or read", () => {
    const bodies = ['{"kind":"Pod"}', '{"a":"\\u0061"}', '{"data":{"a":"a.example.com/v1"}}'];
    for (const text of bodies) {
      const body = Buffer.from(text);
      assert.equal(renamer.rename(body, undefined), body);
      assert.equal(renamer.rename(body, mapped), body);
    }
  });

  it("nests as deep as anyone likes", () => {
    const deep = 100_000;
    const skipped = `{"apiVersion":"a.example.com/v1","spec":${"[".repeat(deep)}${"]".repeat(deep)}}`;
    assert.equal(rename(skipped), skipped.replace("example.com", "team1.org"));
    const lists = `${'{"items":['.repeat(deep)}${"]}".repeat(deep)}`;
    assert.throws(() => rename(lists, mapped), UnreadableBodyError);
  });

  const broken: Record<
    string,
    [body: string, error: typeof UnreadableBodyError | typeof TruncatedBodyError]
  > = {
    "is text": ["hello", UnreadableBodyError],
    "is YAML": ["apiVersion: a.example.com/v1", UnreadableBodyError],
    "has no colon": ['{"a" 1}', UnreadableBodyError],
    "has a comma too many": ['{"a":1,}', UnreadableBodyError],
    "has a comma too few": ['{"a":1 "b":2}', UnreadableBodyError],
    "has a key without quotes": ["{a:1}", UnreadableBodyError],
    "has a word that JSON does not know": ['{"a":nul}', UnreadableBodyError],
    "has a number that is none": ['{"a":01}', UnreadableBodyError],
    "closes what is not open": ['{"a":[}', UnreadableBodyError],
    "goes on after its end": ['{"a":1}{"b":2}', UnreadableBodyError],
    "has an escape that JSON does not know": ['{"apiVersion":"\\q"}', UnreadableBodyError],
    "has a line break in a string": ['{"apiVersion":"a\n"}', UnreadableBodyError],
    "has two kinds": ['{"kind":"A","kind":"B"}', UnreadableBodyError],
    "has an item of another kind than its list, and says so too late": [
      '{"kind":"RoleList","apiVersion":"rbac.authorization.k8s.io/v1","items":[{"rules":[],"kind":"Pod","apiVersion":"v1"}]}',
      UnreadableBodyError,
    ],
    "breaks off in an object": ['{"a":{"b":1}', TruncatedBodyError],
    "breaks off in a string that is all of it": ['"a.exam', TruncatedBodyError],
    "breaks off in a key": ['{"apiVers', TruncatedBodyError],
    "breaks off in a name": ['{"apiVersion":"a.exam', TruncatedBodyError],
    "breaks off in what is skipped": ['{"spec":{"a":"', TruncatedBodyError],
    "breaks off after an escape": ['{"spec":{"a":"\\', TruncatedBodyError],
  };
  for (const [name, [body, error]] of Object.entries(broken)) {
    it(`that ${name} is refused on a mapped resource, whole and in pieces`, () => {
      assert.throws(() => rename(body, mapped), error);
      assert.throws(() => {
        const stream = renamer.stream(mapped);
        for (const byte of Buffer.from(body)) stream.push(Uint8Array.of(byte));
        stream.end();
      }, error);
    });
  }

  it("is no error where there is nothing at all", () => {
    assert.equal(rename("", mapped), "");
    assert.deepEqual(renamer.stream(mapped).end(), []);
  });
});

describe("a stream", () => {
  it("holds back no more than an item of a list, in the order that API servers send", () => {
    const item = `{"apiVersion":"a.team1.org/v1","kind":"CronTab","metadata":{"name":"x"},"spec":{"a":"${"x".repeat(1000)}"}}`;
    const stream = renamer.stream(mapped);
    let held = stream.push(Buffer.from('{"apiVersion":"a.team1.org/v1","items":[')).length;
    held = 0;
    for (let i = 0; i < 100; i++) {
      const text = Buffer.from(`${item},`);
      const sent = stream.push(text).reduce((sum, part) => sum + part.length, 0);
      held += text.length + "example.com".length - "team1.org".length - sent;
      assert.ok(held < 10, `${held} bytes are held back after ${i} items`);
    }
  });

  it("sends on what it gets without a copy where nothing is renamed or held", () => {
    const chunk = Buffer.from('{"kind":"Pod","apiVersion":"v1"}');
    const [part] = renamer.stream(undefined).push(chunk);
    assert.equal(part?.buffer, chunk.buffer);
    assert.equal(part?.byteOffset, chunk.byteOffset);
  });

  it("of a watch sends each event on with its last byte", () => {
    const event = (suffix: string) =>
      `{"type":"ADDED","object":{"kind":"CronTab","apiVersion":"a.${suffix}/v1","metadata":{}}}`;
    const stream = createJsonWatchRenamer({ mapping }).stream(mapped);
    for (const end of ["\n", "", " \n"]) {
      const bytes = Buffer.from(event("team1.org") + end);
      const parts = [...bytes].flatMap((byte) => stream.push(Uint8Array.of(byte)));
      assert.equal(Buffer.concat(parts).toString(), event("example.com") + end);
    }
    assert.deepEqual(stream.end(), []);
  });

  it("of a watch renames nothing in the event itself", () => {
    const text = '{"type":"a.example.com","apiVersion":"a.example.com/v1","object":{}}\n';
    const body = Buffer.from(text);
    assert.equal(createJsonWatchRenamer({ mapping }).rename(body, mapped), body);
  });

  it("of a watch renames to a name that is as long", () => {
    const pairs = [{ virtual: "example.com", real: "elpmaxe.com" }];
    const watch = createJsonWatchRenamer({ mapping: createGroupMapping(pairs) });
    const event = (suffix: string) => `{"type":"ADDED","object":{"apiVersion":"a.${suffix}/v1"}}\n`;
    const renamed = watch.rename(Buffer.from(event("example.com")), mapped);
    assert.equal(Buffer.from(renamed).toString(), event("elpmaxe.com"));
  });

  it("of a watch that breaks off in an event is refused", () => {
    const stream = createJsonWatchRenamer({ mapping }).stream(mapped);
    stream.push(Buffer.from('{"type":"ADDED","object":{}}\n{"type":'));
    assert.throws(() => stream.end(), TruncatedBodyError);
  });
});
