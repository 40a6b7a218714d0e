import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  createTemporaryFolder,
  type Kubernetes,
  notOnEmbedded,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { decodeJwt } from "jose";
import { compileClaimRules } from "../../../src/jwt-authenticator/tokens/claim-rules.ts";
import { type ClaimsSpec, userFromClaims } from "../../../src/jwt-authenticator/tokens/claims.ts";
import { OidcIssuer } from "../../oidc-issuer.ts";

type Claims = Readonly<Record<string, unknown>>;

interface Case {
  readonly spec: ClaimsSpec;
  readonly tokens: readonly Claims[];
}

const pip = { username: "pip", groups: ["birds", "swimmers"], sub: "1", age: 7, admin: true };
const email = { ...pip, email: "pip@example.com" };

/** What both are told of claims, and the tokens that both get. */
const cases: Record<string, Case> = {
  "claims by their names": {
    spec: { claims: { username: "username", groups: "groups" } },
    tokens: [
      pip,
      { ...pip, groups: "birds" },
      { ...pip, groups: [1] },
      { sub: "1" },
      { ...pip, username: 7 },
    ],
  },
  prefixes: {
    spec: { claims: { username: "sub", usernamePrefix: "corp:", groupsPrefix: "corp-" } },
    tokens: [pip, { sub: "2" }],
  },
  "an email that has to be verified": {
    spec: { claims: { username: "email" } },
    tokens: [
      email,
      { ...email, email_verified: true },
      { ...email, email_verified: false },
      { ...email, email_verified: "yes" },
    ],
  },
  "expressions for names": {
    spec: {
      claims: {
        usernameExpression: "'x:' + claims.username",
        groupsExpression: "dyn(claims.groups).filter(g, g != 'swimmers').map(g, g.upperAscii())",
      },
    },
    tokens: [pip, { sub: "1" }, { ...pip, groups: "birds" }, { ...pip, groups: [] }],
  },
  "an expression of groups that is no list": {
    spec: { claims: { username: "sub", groupsExpression: "claims.?role.orValue('')" } },
    tokens: [
      pip,
      { ...pip, role: "keeper" },
      { ...pip, role: 7 },
      { ...pip, role: ["a", "b"] },
      { ...pip, role: null },
    ],
  },
  "an expression that gives no text": {
    spec: { claims: { usernameExpression: "claims.username" } },
    tokens: [pip, { ...pip, username: 7 }, { ...pip, username: "" }, { ...pip, username: ["a"] }],
  },
  "required values": {
    spec: {
      claims: { username: "username" },
      claimValidationRules: [{ claim: "tenant", requiredValue: "ice" }],
    },
    tokens: [
      pip,
      { ...pip, tenant: "ice" },
      { ...pip, tenant: "sea" },
      { ...pip, tenant: ["ice"] },
    ],
  },
  "rules of claims": {
    spec: {
      claims: { username: "username" },
      claimValidationRules: [
        { expression: "claims.admin == true", message: "admins only" },
        { expression: "claims.exp - claims.nbf <= 86400.0 && claims.age >= 5" },
      ],
    },
    tokens: [
      { ...pip, nbf: 0 },
      { ...pip, nbf: Math.floor(Date.now() / 1000) - 60 },
      { ...pip, nbf: Math.floor(Date.now() / 1000) - 60, age: 3 },
      { ...pip, nbf: Math.floor(Date.now() / 1000) - 60, admin: "true" },
      pip,
    ],
  },
  "numbers, which are doubles": {
    spec: {
      claims: { username: "username" },
      claimValidationRules: [{ expression: "type(claims.age) == double" }],
    },
    tokens: [pip, { ...pip, age: 7.5 }, { ...pip, age: "7" }],
  },
  "rules of users": {
    spec: {
      claims: { username: "username", usernamePrefix: "corp:" },
      userValidationRules: [
        { expression: "!user.username.startsWith('corp:root')", message: "no root" },
        { expression: "user.groups.all(g, !g.startsWith('system:'))" },
        { expression: "user.uid == ''" },
      ],
    },
    tokens: [
      pip,
      { ...pip, username: "rooty" },
      { ...pip, groups: ["system:masters"] },
      { username: "pop" },
    ],
  },
  "nested claims": {
    spec: {
      claims: {
        usernameExpression: "claims.who.first + '.' + claims.who.last",
        groupsExpression: "claims.who.?teams.orValue([])",
      },
    },
    tokens: [
      { who: { first: "a", last: "b", teams: ["x", "y"] } },
      { who: { first: "a", last: "b" } },
      { who: { first: "a" } },
      { who: "a" },
    ],
  },
};

const audience = "cluster";

interface Answer {
  readonly username: string;
  readonly groups: readonly string[];
}

/** An entry of kube-apiserver's AuthenticationConfiguration. */
function configured(issuer: OidcIssuer, { claims = {}, ...rules }: ClaimsSpec): object {
  const source = (field: "username" | "groups") => {
    const expression = claims[`${field}Expression`];
    if (expression !== undefined) return { expression };
    return { claim: claims[field] ?? field, prefix: claims[`${field}Prefix`] ?? "" };
  };
  return {
    issuer: { url: issuer.url, audiences: [audience], certificateAuthority: issuer.ca },
    claimMappings: { username: source("username"), groups: source("groups") },
    ...rules,
  };
}

describe("claims of tokens as kube-apiserver reads them", {
  skip: await notOnEmbedded("structured authentication"),
}, () => {
  const stack = new AsyncDisposableStack();
  const issuers = new Map<string, OidcIssuer>();
  let kubernetes: Kubernetes;

  before(async () => {
    const folder = stack.use(await createTemporaryFolder("structured-authentication"));
    for (const name of Object.keys(cases)) issuers.set(name, stack.use(await OidcIssuer.start()));
    const file = join(folder.path, "authentication.json");
    const jwt = Object.entries(cases).flatMap(([name, { spec }]) => {
      const issuer = issuers.get(name);
      return issuer ? [configured(issuer, spec)] : [];
    });
    const config = {
      apiVersion: "apiserver.config.k8s.io/v1beta1",
      kind: "AuthenticationConfiguration",
      anonymous: { enabled: true },
      jwt,
    };
    await writeFile(file, JSON.stringify(config));
    const apiServerArgs = [`--authentication-config=${file}`];
    kubernetes = stack.use(await startKubernetes({ apiServerArgs, controllerManager: false }));
  });
  after(() => stack.disposeAsync());

  /** The user that kube-apiserver makes of a token; undefined where it refuses it. */
  async function theirs(token: string): Promise<Answer | undefined> {
    const path = "/apis/authentication.k8s.io/v1/tokenreviews";
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } };
    const answer = await kubernetes.request("POST", path, { body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const { authenticated, user } = answer.body.status;
    if (!authenticated) return undefined;
    // Every user has it.
    const groups = (user.groups ?? []).filter((one: string) => one !== "system:authenticated");
    return { username: user.username, groups };
  }

  function ours(token: string, spec: ClaimsSpec): Answer | undefined {
    try {
      return userFromClaims(decodeJwt(token), compileClaimRules(spec));
    } catch (error) {
      assert.equal((error as { readonly code?: unknown }).code, "TokenRefused", String(error));
      return undefined;
    }
  }

  for (const [name, { spec, tokens }] of Object.entries(cases)) {
    it(`gives the same users, or refuses the same tokens: ${name}`, async () => {
      const issuer = issuers.get(name);
      assert.ok(issuer);
      // kube-apiserver asks issuers after it has started, and again each ten seconds.
      const isAsked = () => issuer.asked.length > 0;
      await waitFor(isAsked, { what: "kube-apiserver to ask the issuer", timeout: 60_000 });
      let taken = 0;
      for (const claims of tokens) {
        const token = await issuer.token({ aud: audience, ...claims });
        const expected = ours(token, spec);
        const said = await waitFor(
          async () => {
            const found = await theirs(token);
            return found !== undefined || expected === undefined ? { found } : undefined;
          },
          { what: `kube-apiserver to take ${JSON.stringify(claims)}`, timeout: 30_000 },
        );
        assert.deepEqual(said.found, expected, JSON.stringify(claims));
        taken += expected === undefined ? 0 : 1;
      }
      assert.ok(taken > 0, "at least one token is taken, so that the issuer is known");
    });
  }
});
