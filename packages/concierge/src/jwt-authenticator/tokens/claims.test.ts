import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileClaimRules } from "./claim-rules.ts";
import { type ClaimsSpec, userFromClaims } from "./claims.ts";

type Payload = Readonly<Record<string, unknown>>;

const userOf = (payload: Payload, spec: ClaimsSpec = {}) =>
  userFromClaims(payload, compileClaimRules(spec));

interface Row {
  readonly spec?: ClaimsSpec;
  readonly payload?: Payload;
  readonly user: readonly [string, ...string[]] | RegExp;
}

const pip = { username: "pip", groups: ["birds", "swimmers"], team: { name: "ice" }, age: 7 };

describe("the claims of a token", () => {
  const rows: Record<string, Row> = {
    "have Pinniped's names unless told otherwise": { user: ["pip", "birds", "swimmers"] },
    "have those names where others are empty": {
      spec: { claims: { username: "", groups: "" } },
      user: ["pip", "birds", "swimmers"],
    },
    "may have other names": {
      spec: { claims: { username: "sub", groups: "roles" } },
      payload: { sub: "one", roles: "a" },
      user: ["one", "a"],
    },
    "get prefixes": {
      spec: { claims: { usernamePrefix: "corp:", groupsPrefix: "g-" } },
      user: ["corp:pip", "g-birds", "g-swimmers"],
    },
    "are mapped by expressions": {
      spec: {
        claims: {
          usernameExpression: "'corp:' + claims.username",
          groupsExpression: "claims.groups.map(g, claims.team.name + '/' + g)",
        },
      },
      user: ["corp:pip", "ice/birds", "ice/swimmers"],
    },
    "are mapped to no groups by null, or an empty text": {
      spec: { claims: { groupsExpression: "claims.age > 8.0 ? 'old' : ''" } },
      user: ["pip"],
    },
    "are refused where an expression fails": {
      spec: { claims: { usernameExpression: "claims.nobody" } },
      user: /expression 'claims.nobody' resulted in error: no such key: nobody/,
    },
    "are refused where an expression gives no name": {
      spec: { claims: { usernameExpression: "claims.age" } },
      user: /expression 'claims.age' gives no name of a user/,
    },
    "are refused where an expression gives no groups": {
      spec: { claims: { groupsExpression: "[claims.age]" } },
      user: /is neither a string nor a list of strings/,
    },
    "have a required value": {
      spec: { claimValidationRules: [{ claim: "username", requiredValue: "pip" }] },
      user: ["pip", "birds", "swimmers"],
    },
    "are refused without a required value": {
      spec: { claimValidationRules: [{ claim: "username", requiredValue: "pop" }] },
      user: /its claim "username" does not have the required value/,
    },
    "are refused without a required claim, also one that every object inherits": {
      spec: { claimValidationRules: [{ claim: "constructor" }] },
      user: /it does not have the required claim "constructor"/,
    },
    "hold to rules": {
      spec: { claimValidationRules: [{ expression: "'birds' in claims.groups" }] },
      user: ["pip", "birds", "swimmers"],
    },
    "are refused by a rule, with its message": {
      spec: { claimValidationRules: [{ expression: "claims.age < 5.0", message: "too old" }] },
      user: /validation expression 'claims.age < 5.0' failed: too old/,
    },
    "give a user that holds to rules": {
      spec: {
        claims: { usernamePrefix: "corp:" },
        userValidationRules: [
          { expression: "user.username.startsWith('corp:') && size(user.groups) == 2" },
        ],
      },
      user: ["corp:pip", "birds", "swimmers"],
    },
    "give a user that is refused by a rule": {
      spec: { userValidationRules: [{ expression: "!('birds' in user.groups)", message: "no" }] },
      user: /failed: no/,
    },
    "are refused where a rule takes too long": {
      spec: {
        claimValidationRules: [
          { expression: "claims.many.all(a, claims.many.all(b, claims.many.all(c, a == a)))" },
        ],
      },
      payload: { ...pip, many: Array.from({ length: 500 }, (_, index) => index) },
      user: /cost/,
    },
    "name nobody by an email that is not verified": {
      spec: { claims: { username: "email" } },
      payload: { email: "pip@example.com", email_verified: false },
      user: /its email is not verified/,
    },
    "name a user by an email of which nobody says whether it is verified": {
      spec: { claims: { username: "email" } },
      payload: { email: "pip@example.com" },
      user: ["pip@example.com"],
    },
    "name nobody by what every object inherits": {
      spec: { claims: { username: "toString" } },
      user: /is not the name of a user/,
    },
  };
  for (const [name, { spec, payload = pip, user }] of Object.entries(rows)) {
    it(name, () => {
      if (user instanceof RegExp) {
        assert.throws(() => userOf(payload, spec), { code: "TokenRefused", message: user });
        return;
      }
      const [username, ...groups] = user;
      assert.deepEqual(userOf(payload, spec), { username, groups });
    });
  }
});

describe("what a JWTAuthenticator says of claims", () => {
  const rows: Record<string, [ClaimsSpec, RegExp]> = {
    "a claim and an expression": [
      { claims: { username: "sub", usernameExpression: "claims.sub" } },
      /spec\.claims\.username: claim and expression can't both be set/,
    ],
    "a prefix and an expression": [
      { claims: { groupsPrefix: "a", groupsExpression: "claims.g" } },
      /spec\.claims\.groupsPrefix: the expression can put it in front itself/,
    ],
    "an expression that is none": [
      { claims: { usernameExpression: "claims." } },
      /spec\.claims\.usernameExpression: compilation failed: .*Syntax error/s,
    ],
    "an expression about somebody else": [
      { claims: { groupsExpression: "user.groups" } },
      /undeclared reference to 'user'/,
    ],
    "a rule that is no condition": [
      { claimValidationRules: [{ expression: "'a'" }] },
      /spec\.claimValidationRules\[0\]\.expression: must evaluate to bool/,
    ],
    "a rule about a field that users do not have": [
      { userValidationRules: [{ expression: "user.name == 'a'" }] },
      /spec\.userValidationRules\[0\]\.expression: .*undefined field 'name'/s,
    ],
    "a rule about nothing": [{ claimValidationRules: [{}] }, /claim or expression is required/],
    "a rule about a claim with an expression": [
      { claimValidationRules: [{ claim: "a", expression: "true" }] },
      /claim and expression can't both be set/,
    ],
    "a value of an expression": [
      { claimValidationRules: [{ expression: "true", requiredValue: "a" }] },
      /requiredValue may not be specified when expression is set/,
    ],
    "a message of a claim": [
      { claimValidationRules: [{ claim: "a", message: "b" }] },
      /message may not be specified when claim is set/,
    ],
    "two rules about one claim": [
      { claimValidationRules: [{ claim: "a" }, { claim: "a", requiredValue: "b" }] },
      /spec\.claimValidationRules\[1\]: another rule is about the same/,
    ],
    "an email that may be anybody's": [
      { claims: { usernameExpression: "claims.email" } },
      /claims\.email_verified must be used/,
    ],
    "all that is wrong at once": [
      { claims: { usernameExpression: "a", groupsExpression: "b" } },
      /usernameExpression: .*groupsExpression: /s,
    ],
  };
  for (const [name, [spec, message]] of Object.entries(rows)) {
    it(`is refused for ${name}`, () => {
      assert.throws(() => compileClaimRules(spec), {
        code: "Check",
        reason: "InvalidClaims",
        message,
      });
    });
  }

  it("may use an email whose verification a rule demands", () => {
    const claims = { usernameExpression: "claims.email" };
    const claimValidationRules = [{ expression: "claims.?email_verified.orValue(true) == true" }];
    const rules = compileClaimRules({ claims, claimValidationRules });
    const payload = { email: "pip@example.com", email_verified: true };
    assert.equal(userFromClaims(payload, rules).username, "pip@example.com");
  });
});
