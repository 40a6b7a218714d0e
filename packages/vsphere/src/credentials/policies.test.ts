import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isServerAllowed } from "./policies.ts";

describe("a server", () => {
  const table: Record<string, [readonly string[] | undefined, boolean]> = {
    "is allowed where none is named": [undefined, true],
    "is allowed by its name in any case": [["VC.example"], true],
    "is allowed with the usual port": [["vc.example:443"], true],
    "is refused with another port": [["vc.example:8443"], false],
    "is refused by the names of others": [["other.example"], false],
    "is refused by a name that only ends alike": [["evilvc.example", "example"], false],
    "is refused by an empty list": [[], false],
  };
  for (const [what, [servers, expected]] of Object.entries(table)) {
    it(what, () => assert.equal(isServerAllowed(servers, "vc.example"), expected));
  }
});
