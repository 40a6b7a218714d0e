import assert from "node:assert/strict";
import { it } from "node:test";
import type { VCenter } from "./connect.ts";
import { retrieveProperties } from "./properties.ts";

const object = { type: "VirtualMachine", value: "vm-1" };

it("pages without end are not followed", async () => {
  let calls = 0;
  const content = { propertyCollector: { type: "PropertyCollector", value: "root" } };
  const call = async () => {
    calls += 1;
    return { token: "again" };
  };
  const vcenter = { content, call } as unknown as VCenter;
  await assert.rejects(retrieveProperties(vcenter, [object], { paths: ["name"] }), {
    code: "UnexpectedAnswer",
  });
  assert.equal(calls, 201);
});
