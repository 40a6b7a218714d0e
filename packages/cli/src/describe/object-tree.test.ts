import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { showFilter } from "./object-tree.ts";

describe("--show-conditions", () => {
  const machine = { kind: "Machine", name: "m1" };
  const rows: Record<string, string> = {
    "": "none",
    all: "all",
    ALL: "all",
    "all+": "notable",
    machine: "all",
    "Machine+": "notable",
    "Machine/m1": "all",
    "machine/M1+": "notable",
    "Machine/m2": "none",
    "Cluster,,Machine": "all",
    "Machine+,all": "notable",
    Mach: "none",
  };
  for (const [filters, shown] of Object.entries(rows)) {
    it(`"${filters}" shows ${shown} of a machine`, () => {
      assert.equal(showFilter(machine, filters), shown);
    });
  }
});
