import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type CryptoKey, exportSPKI, importJWK } from "jose";
import {
  type Claims,
  part,
  signingKey,
  TestIssuer,
} from "../../../test/jwt-authenticator/tokens/issuer.ts";
import { longestToken } from "../../authenticators/authenticator.ts";
import { TokenRefusedError } from "../../errors.ts";

const pip = { username: "pip", groups: ["birds", "swimmers"] };
const [first, second, other] = await Promise.all([
  signingKey("ES256", "one"),
  signingKey("ES256", "two"),
  signingKey("ES256", "one"),
]);

describe("a verifier of tokens", () => {
  for (const alg of ["RS256", "RS384", "PS256", "ES256", "ES384", "ES512", "EdDSA"]) {
    it(`takes a token that is signed with ${alg}`, async () => {
      const issuer = new TestIssuer(await signingKey(alg, "key"));
      assert.deepEqual(await issuer.authenticate(await issuer.token()), pip);
    });
  }

  it("tries all keys for a token that names none", async () => {
    const [a, b] = [await signingKey("ES256"), await signingKey("ES256")];
    const issuer = new TestIssuer(a, b);
    assert.deepEqual(await issuer.authenticate(await issuer.token({}, {}, b)), pip);
    const foreign = await issuer.token({}, {}, await signingKey("ES256"));
    await assert.rejects(issuer.authenticate(foreign), TokenRefusedError);
  });

  const now = Math.floor(Date.parse("2026-01-01T00:00:00Z") / 1000);
  const refused: Record<string, Claims> = {
    "is of another issuer": { iss: "https://elsewhere.example.com" },
    "has the issuer with a slash at the end": { iss: "https://issuer.example.com/" },
    "is for somebody else": { aud: "another-cluster" },
    "is for several, and none is this one": { aud: ["a", "b"] },
    "has no audience": { aud: undefined },
    "is expired": { exp: now - 1 },
    "expires in this very second": { exp: now },
    "never expires": { exp: undefined },
    "expires at a time that is none": { exp: "tomorrow" },
    "is for later": { nbf: now + 301 },
    "names no user": { username: undefined },
    "names a user without a name": { username: "" },
    "names a user by number": { username: 7 },
    "has groups of another kind": { groups: [{ name: "birds" }] },
  };
  for (const [name, changes] of Object.entries(refused)) {
    it(`refuses a token that ${name}`, async () => {
      const issuer = new TestIssuer(first);
      await assert.rejects(issuer.authenticate(await issuer.token(changes)), TokenRefusedError);
    });
  }

  const taken: Record<string, [changes: Claims, user: object]> = {
    "is for several": [{ aud: ["other", "the-cluster"] }, pip],
    "became valid by a clock that is a little ahead": [{ nbf: now + 60 }, pip],
    "has one group as a string": [{ groups: "birds" }, { username: "pip", groups: ["birds"] }],
    "has no groups": [{ groups: undefined }, { username: "pip", groups: [] }],
    "has empty groups and one twice": [
      { groups: ["", "a", "a"] },
      { username: "pip", groups: ["a"] },
    ],
  };
  for (const [name, [changes, user]] of Object.entries(taken)) {
    it(`takes a token that ${name}`, async () => {
      const issuer = new TestIssuer(first);
      assert.deepEqual(await issuer.authenticate(await issuer.token(changes)), user);
    });
  }
});

describe("a hostile token", () => {
  const forged = (header: object, payload: object, signature = "") =>
    `${part(header)}.${part(payload)}.${signature}`;

  const attempts: Record<string, (issuer: TestIssuer) => Promise<string> | string> = {
    "without a signature": (issuer) => forged({ alg: "none" }, issuer.claims()),
    "without a signature, in capitals": (issuer) => forged({ alg: "NONE" }, issuer.claims()),
    "with the signature cut off": async (issuer) => (await issuer.token()).replace(/[^.]*$/, ""),
    "signed with the public key as a shared secret": async (issuer) => {
      const publicKey = await importJWK(first.jwk, "ES256", { extractable: true });
      const pem = await exportSPKI(publicKey as CryptoKey);
      const unsigned = `${part({ alg: "HS256", kid: "one" })}.${part(issuer.claims())}`;
      return `${unsigned}.${createHmac("sha256", pem).update(unsigned).digest("base64url")}`;
    },
    "signed by another key of the same id": (issuer) => issuer.token({}, {}, other),
    "with the id of another key": (issuer) => issuer.token({}, { kid: "two" }),
    "with an id that leads to a file": (issuer) => issuer.token({}, { kid: "../../etc/passwd" }),
    "that brings its own key along": (issuer) =>
      issuer.token({}, { kid: "mine", jwk: other.jwk }, other),
    "that says where its keys are": (issuer) =>
      issuer.token({}, { kid: "mine", jku: "https://evil.example.com/keys" }, other),
    "with an extension that must be understood": (issuer) =>
      issuer
        .token({}, { crit: ["exp"] })
        .catch(() =>
          forged({ alg: "ES256", kid: "one", crit: ["b64"], b64: false }, issuer.claims(), "AA"),
        ),
    "whose claims were changed": async (issuer) => {
      const [header, , signature] = (await issuer.token()).split(".");
      return `${header}.${part(issuer.claims({ groups: ["system:masters"] }))}.${signature}`;
    },
    "whose claims are no object": () => forged({ alg: "ES256", kid: "one" }, ["a"], "AA"),
    "that is encrypted": (issuer) =>
      `${part({ alg: "dir", enc: "A256GCM" })}..${part(issuer.claims())}..`,
    "that is empty": () => "",
    "that is too long": () => "a".repeat(longestToken + 1),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    it(`${name} is refused`, async () => {
      const issuer = new TestIssuer(first, second);
      const token = await attempt(issuer);
      await assert.rejects(issuer.authenticate(token), (error: Error) => {
        assert.ok(error instanceof TokenRefusedError, String(error));
        assert.ok(token === "" || !error.message.includes(token), "the token is in the message");
        return true;
      });
    });
  }

  it("of any shape is refused, and never crashes", async () => {
    const issuer = new TestIssuer(first);
    const good = await issuer.token();
    const mutated = fc
      .tuple(fc.nat(good.length - 1), fc.stringMatching(/^[A-Za-z0-9._-]$/))
      .map(([at, letter]) => good.slice(0, at) + letter + good.slice(at + 1));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), mutated), async (token) => {
        const user = await issuer.authenticate(token).catch((error) => {
          assert.ok(error instanceof TokenRefusedError, String(error));
        });
        // The last letters of a signature have bits that nobody reads.
        if (user) assert.deepEqual(user, pip);
      }),
    );
  });
});
