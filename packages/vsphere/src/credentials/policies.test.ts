import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isServerListed } from "./policies.ts";

describe("a server", () => {
  const table: Record<string, [readonly string[], boolean]> = {
    "is listed by its name in any case": [["VC.example"], true],
    "is listed with the usual port": [["vc.example:443"], true],
    "is not listed with another port": [["vc.example:8443"], false],
    "is not listed by the names of others": [["other.example"], false],
    "is not listed by a name that only ends alike": [["evilvc.example", "example"], false],
    "is not listed by an empty list": [[], false],
  };
  for (const [what, [servers, expected]] of Object.entries(table)) {
    it(what, () => assert.equal(isServerListed(servers, "vc.example"), expected));
  }
});
