import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SystemNames, systemNameProblems } from "./system-names.ts";

describe("names of Kubernetes' own", () => {
  const rows: Record<
    string,
    { allowed?: string[]; user?: string; groups?: string[]; ok: boolean }
  > = {
    "is refused as a user": { user: "system:admin", ok: false },
    "is refused as a service account": { user: "system:serviceaccount:a:b", ok: false },
    "is refused as a group among others": { groups: ["birds", "system:masters"], ok: false },
    "is refused though another one is allowed": {
      allowed: ["system:nodes"],
      groups: ["system:nodes", "system:masters"],
      ok: false,
    },
    "is refused where it begins like an allowed one": {
      allowed: ["system:node"],
      groups: ["system:nodes"],
      ok: false,
    },
    "is taken where it is allowed": {
      allowed: ["system:nodes"],
      groups: ["system:nodes"],
      ok: true,
    },
    "is taken where its beginning is allowed": {
      allowed: ["system:serviceaccount:ci:*"],
      user: "system:serviceaccount:ci:deployer",
      ok: true,
    },
    "is another one in other letters, and so nobody's": { user: "System:admin", ok: true },
  };
  for (const [name, { allowed = [], user = "pip", groups = [], ok }] of Object.entries(rows)) {
    it(name, () => {
      const names = new SystemNames(allowed);
      const asked = { username: user, groups };
      if (ok) assert.deepEqual(names.admit(asked), asked);
      else
        assert.throws(() => names.admit(asked), /Kubernetes' own; --allowed-system-names allows/);
      if (!ok) assert.throws(() => names.assert(asked), { code: "Signing" });
    });
  }

  it("are dropped where every user has them anyway", () => {
    const user = { username: "pip", groups: ["system:authenticated", "birds"] };
    assert.deepEqual(new SystemNames([]).admit(user).groups, ["birds"]);
  });

  it("are all that can be allowed", () => {
    assert.deepEqual(systemNameProblems(["system:nodes", "system:a:*", "system:*"]), []);
    assert.equal(systemNameProblems(["*", "masters", "system:*:a", ""]).length, 4);
  });
});
