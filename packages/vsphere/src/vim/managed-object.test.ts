import assert from "node:assert/strict";
import { it } from "node:test";
import { formatReference, parseReference } from "./managed-object.ts";

it("an object has a name that it is found by again", () => {
  const machine = { type: "VirtualMachine", value: "vm-42:1" };
  assert.deepEqual(parseReference(formatReference(machine)), machine);
  for (const text of ["", "vm-42", "VirtualMachine:", ":vm-42"]) {
    assert.equal(parseReference(text), undefined);
  }
});
