import { growing, testGrowth } from "@rookery/testing";
import { compileClaimRules } from "./claim-rules.ts";
import { type ClaimsSpec, userFromClaims } from "./claims.ts";

const texts = (length: number) => Array.from({ length }, (_, i) => `g${i}`);
const token = (spec: ClaimsSpec, build: (size: number) => Readonly<Record<string, unknown>>) => {
  const rules = compileClaimRules(spec);
  return growing({
    build: (n) => ({ username: "pip", ...build(n) }),
    run: (payload) => userFromClaims(payload, rules),
  });
};
const spec = (build: (size: number) => ClaimsSpec, size = 500) =>
  growing({ build, run: compileClaimRules, size });
const user = (expression: string) => ({ userValidationRules: [{ expression }] });
const claims = (expression: string) => ({ claimValidationRules: [{ expression }] });
const groups = (n: number) => ({ groups: texts(n) });

testGrowth({
  "a token of many claims": token({}, (n) => Object.fromEntries(texts(n).map((name) => [name, 1]))),
  "a token of many groups": token({}, groups),
  "a token of one group many times": token({}, (n) => ({
    groups: Array.from({ length: n }, () => "a"),
  })),
  "a rule for each group": token(user("user.groups.all(g, !g.startsWith('system:'))"), groups),
  "a rule that compares groups with groups": token(
    user("user.groups.all(a, user.groups.exists_one(b, a == b))"),
    groups,
  ),
  "a rule about claims that compares all with all": token(
    claims("claims.groups.all(a, claims.groups.exists(b, a + b == 'x'))"),
    groups,
  ),
  "groups by an expression": token(
    { claims: { groupsExpression: "claims.groups.map(g, 'a:' + g)" } },
    groups,
  ),
  "a pattern for a long name": token(user("user.username.matches('^(a+)+$')"), (n) => ({
    username: `${"a".repeat(n)}!`,
  })),
  "many rules about claims": spec((n) => ({
    claimValidationRules: texts(n).map((claim) => ({ claim, requiredValue: "a" })),
  })),
  "many equal rules about claims": spec((n) => ({
    claimValidationRules: texts(n).map(() => ({ claim: "a", requiredValue: "a" })),
  })),
  "many rules that are wrong": spec((n) => ({
    userValidationRules: texts(n).map((expression) => ({ expression })),
  })),
  "a rule of many parts": spec((n) =>
    user(
      texts(n)
        .map((group) => `'${group}' in user.groups`)
        .join(" || "),
    ),
  ),
  "a name of many dots": spec((n) => ({
    claims: { usernameExpression: `claims${" ".repeat(16 * n)}.a` },
  })),
});
