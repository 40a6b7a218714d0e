import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { WireError } from "../errors.ts";
import { WireReader } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

function hex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Passes over all fields and returns them with their tags. */
function fieldsOf(bytes: Uint8Array): Uint8Array[] {
  const reader = new WireReader(bytes);
  const fields: Uint8Array[] = [];
  while (reader.next()) {
    reader.skip();
    fields.push(reader.raw());
  }
  return fields;
}

describe("WireWriter and WireReader agree with Protobuf's encoding", () => {
  const rows: Record<string, [write: (writer: WireWriter) => WireWriter, bytes: string]> = {
    "a small varint": [(writer) => writer.varint(1, 1), "0801"],
    "a varint of two bytes": [(writer) => writer.varint(1, 300), "08ac02"],
    "a negative int": [(writer) => writer.varint(7, -1), "38ffffffffffffffffff01"],
    "the largest uint64": [(writer) => writer.varint(1, 2n ** 64n - 1n), "08ffffffffffffffffff01"],
    "the largest safe number": [
      (writer) => writer.varint(1, Number.MAX_SAFE_INTEGER),
      "08ffffffffffffff0f",
    ],
    "a field of a large number": [(writer) => writer.bool(2 ** 29 - 1, true), "f8ffffff0f01"],
    fixed32: [(writer) => writer.fixed32(1, 0x01020304), "0d04030201"],
    fixed64: [(writer) => writer.fixed64(1, 1n), "090100000000000000"],
    "a string": [(writer) => writer.string(2, "é"), "1202c3a9"],
    "a message": [
      (writer) => writer.message(3, (message) => message.string(1, "a").varint(2, 2)),
      "1a050a01611002",
    ],
  };
  for (const [name, [write, bytes]] of Object.entries(rows)) {
    it(name, () => {
      const written = write(new WireWriter());
      assert.equal(toHex(written.finish()), bytes);
      assert.equal(written.length, bytes.length / 2);
      assert.deepEqual(fieldsOf(hex(bytes)), [hex(bytes)]);
    });
  }
});

describe("WireReader", () => {
  it("reads every type of value", () => {
    const writer = new WireWriter()
      .varint(1, 5)
      .varint(2, -5)
      .varint(3, 2n ** 63n)
      .bool(4, true)
      .fixed32(5, 7)
      .fixed64(6, 8n)
      .string(7, "\ufeffx")
      .message(8, (message) => message.varint(1, 9));
    const reader = new WireReader(writer.finish());
    const read = <T>(value: () => T): T => {
      assert.ok(reader.next());
      return value();
    };
    assert.equal(
      read(() => reader.uint()),
      5,
    );
    assert.equal(
      read(() => reader.int32()),
      -5,
    );
    assert.equal(
      read(() => reader.int64()),
      -(2n ** 63n),
    );
    assert.equal(
      read(() => reader.bool()),
      true,
    );
    assert.equal(
      read(() => reader.fixed32()),
      7,
    );
    assert.equal(
      read(() => reader.fixed64()),
      8n,
    );
    assert.equal(
      read(() => reader.string()),
      "\ufeffx",
    );
    const message = read(() => reader.message());
    assert.ok(message.next());
    assert.equal(message.uint(), 9);
    assert.equal(message.next(), false);
    assert.equal(reader.next(), false);
  });

  it("gives views, not copies", () => {
    const bytes = new WireWriter().bytes(1, Uint8Array.of(1, 2, 3)).finish();
    const reader = new WireReader(bytes);
    reader.next();
    assert.equal(reader.bytes().buffer, bytes.buffer);
    assert.equal(reader.raw().length, bytes.length);
  });

  it("stays within a view of a larger buffer", () => {
    const buffer = hex("ffff0d04030201ffff");
    const reader = new WireReader(buffer.subarray(2, 7));
    assert.ok(reader.next());
    assert.equal(reader.fixed32(), 0x01020304);
    assert.equal(reader.next(), false);
  });

  it("passes over nested groups as one field", () => {
    const group = "1b" + "0801" + "23" + "1203aabbcc" + "24" + "1c";
    assert.deepEqual(fieldsOf(hex(`${group}0801`)).map(toHex), [group, "0801"]);
  });
});

describe("malformed messages are refused", () => {
  const rows: Record<string, [bytes: string, problem: RegExp]> = {
    "a tag without a value": ["08", /unexpected EOF at offset 1/],
    "a tag that is cut off": ["80", /unexpected EOF/],
    "bytes that are cut off": ["0a05616263", /unexpected EOF/],
    "a length past the end of the address space": ["0affffffffffffff0f", /unexpected EOF/],
    "a length that is negative": ["0affffffffffffffffff01", /integer overflow/],
    "a fixed32 that is cut off": ["0d010203", /unexpected EOF/],
    "a fixed64 that is cut off": ["0901020304050607", /unexpected EOF/],
    "a varint of eleven bytes": ["08ffffffffffffffffffff01", /integer overflow/],
    "a varint past 64 bits": ["08ffffffffffffffffff02", /integer overflow/],
    "field 0": ["0001", /illegal tag/],
    "a field number past the limit": ["8080808010", /illegal tag/],
    "wire type 6": ["0e", /illegal wireType 6/],
    "the end of a group that did not begin": ["0c", /unexpected end of group/],
    "a group that does not end": ["0b0801", /unexpected EOF/],
    "a group that ends as another": ["0b14", /unexpected end of group/],
  };
  for (const [name, [bytes, problem]] of Object.entries(rows)) {
    it(name, () => {
      assert.throws(
        () => fieldsOf(hex(bytes)),
        (error) => error instanceof WireError && problem.test(error.message),
      );
    });
  }

  it("a value of another type than is asked for", () => {
    const reader = new WireReader(hex("0801"));
    reader.next();
    assert.throws(() => reader.bytes(), /wrong wireType = 0/);
    assert.throws(() => reader.fixed32(), /wrong wireType = 0/);
  });
});

describe("properties", () => {
  type Write = (writer: WireWriter) => unknown;
  const field = fc.integer({ min: 1, max: 2 ** 29 - 1 });
  const long = fc.uint8Array({ minLength: 200, maxLength: 3000 });
  const write: fc.Arbitrary<Write> = fc.oneof(
    fc.tuple(field, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n })).map(
      ([field, value]): Write =>
        (writer) =>
          writer.varint(field, value),
    ),
    fc.tuple(field, fc.maxSafeInteger()).map(
      ([field, value]): Write =>
        (writer) =>
          writer.varint(field, value),
    ),
    fc.tuple(field, fc.oneof(fc.uint8Array(), long)).map(
      ([field, value]): Write =>
        (writer) =>
          writer.bytes(field, value),
    ),
    fc.tuple(field, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })).map(
      ([field, value]): Write =>
        (writer) =>
          writer.fixed64(field, value),
    ),
  );
  const message = fc.array(write).map((writes) => {
    const writer = new WireWriter();
    for (const write of writes) write(writer);
    return writer;
  });

  it("every varint is read back", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const reader = new WireReader(new WireWriter().varint(1, value).finish());
        assert.ok(reader.next());
        assert.equal(reader.int64(), value);
      }),
    );
  });

  it("fields that are written again as they were make the same message", () => {
    fc.assert(
      fc.property(message, (message) => {
        const bytes = message.finish();
        const again = new WireWriter();
        for (const field of fieldsOf(bytes)) again.raw(field);
        assert.deepEqual(again.finish(), bytes);
      }),
    );
  });

  it("a message cut off anywhere within a field is refused or ends between fields", () => {
    fc.assert(
      fc.property(message, fc.nat(), (message, at) => {
        const bytes = message.finish();
        const cut = bytes.subarray(0, at % (bytes.length + 1));
        try {
          assert.equal(
            fieldsOf(cut).reduce((length, field) => length + field.length, 0),
            cut.length,
          );
        } catch (error) {
          assert.ok(error instanceof WireError);
        }
      }),
    );
  });

  it("garbage ends or is refused, and nothing outside of it is read", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const reader = new WireReader(bytes);
        try {
          for (let steps = 0; reader.next(); steps++) {
            assert.ok(steps < bytes.length);
            reader.skip();
            assert.ok(reader.position <= bytes.length);
          }
        } catch (error) {
          assert.ok(error instanceof WireError);
          assert.ok(error.offset <= bytes.length);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
