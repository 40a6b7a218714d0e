import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type BindAddress, parseBindAddress } from "./bind-address.ts";

describe("parseBindAddress reads", () => {
  const rows: Record<string, [string, BindAddress | undefined]> = {
    "a port of every address": [":8080", { host: "", port: 8080 }],
    "an address and its port": ["127.0.0.1:9440", { host: "127.0.0.1", port: 9440 }],
    "a name": ["localhost:0", { host: "localhost", port: 0 }],
    "an IPv6 address": ["[::1]:8080", { host: "::1", port: 8080 }],
    "a zero for none": ["0", undefined],
    "nothing for none": ["", undefined],
  };
  for (const [name, [text, expected]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(parseBindAddress(text), expected));
  }
});

describe("parseBindAddress refuses", () => {
  for (const text of ["8080", "localhost", "::1:8080", ":65536", ":http", "[::1]"]) {
    it(text, () =>
      assert.throws(() => parseBindAddress(text), {
        code: "BindAddress",
        message: `could not read address ${JSON.stringify(text)}: it is "host:port", ":port" for every address, or "0" for none`,
      }),
    );
  }
});
