import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { VimFaultError } from "../errors.ts";
import { failureOfMachine } from "./policies.ts";

const unlisted = { server: "vc.example", isListed: false };

describe("a fault that a machine's condition tells", () => {
  it("is the vCenter's own words for whoever has an account there", () => {
    const fault = new VimFaultError("CloneVM_Task", "NoPermission", "not for you");
    const failure = failureOfMachine(fault, unlisted);
    assert.equal(failure?.reason, "Refused");
    assert.match(failure?.message ?? "", /not for you/);
  });

  for (const method of ["RetrieveServiceContent", "Login"]) {
    it(`says nothing of what answers ${method}`, () => {
      const failure = failureOfMachine(new VimFaultError(method, "hush", "hush"), unlisted);
      assert.equal(failure?.reason, "VCenterUnreachable");
      assert.doesNotMatch(failure?.message ?? "", /hush/);
    });
  }
});
