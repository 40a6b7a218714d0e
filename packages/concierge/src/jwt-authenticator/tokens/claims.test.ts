import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TokenRefusedError } from "../../errors.ts";
import { claimNames, userFromClaims } from "./claims.ts";

describe("the claims of a token", () => {
  it("have Pinniped's names unless told otherwise", () => {
    assert.deepEqual(claimNames(undefined), { username: "username", groups: "groups" });
    assert.deepEqual(claimNames({ username: "", groups: "roles" }), {
      username: "username",
      groups: "roles",
    });
  });

  it("may have other names", () => {
    const names = claimNames({ username: "sub", groups: "roles" });
    assert.deepEqual(userFromClaims({ sub: "pip", roles: ["a"], groups: ["b"] }, names), {
      username: "pip",
      groups: ["a"],
    });
  });

  const email = claimNames({ username: "email" });
  it("name a user by an email that is verified, or of which that is not said", () => {
    for (const verified of [{ email_verified: true }, {}]) {
      const user = userFromClaims({ email: "pip@example.com", ...verified }, email);
      assert.equal(user.username, "pip@example.com");
    }
  });

  it("name nobody by an email that is not verified", () => {
    for (const email_verified of [false, "true", null]) {
      const payload = { email: "pip@example.com", email_verified };
      assert.throws(() => userFromClaims(payload, email), TokenRefusedError);
    }
  });

  it("are only those that the token has", () => {
    const names = claimNames({ username: "sub", groups: "constructor" });
    assert.deepEqual(userFromClaims({ sub: "pip" }, names).groups, []);
    const inherited = claimNames({ username: "toString" });
    assert.throws(() => userFromClaims({}, inherited), TokenRefusedError);
  });
});
