import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { signingKey, TestIssuer } from "../../../test/jwt-authenticator/tokens/issuer.ts";
import { TokenRefusedError } from "../../errors.ts";

const minute = 60_000;

describe("the keys of an issuer", () => {
  it("are kept, and not read for each token", async () => {
    const issuer = new TestIssuer(await signingKey("ES256", "one"));
    for (let i = 0; i < 10; i++) await issuer.authenticate(await issuer.token());
    assert.equal(issuer.fetches, 0);
  });

  it("are read again for a token that is signed with a new one", async () => {
    const issuer = new TestIssuer(await signingKey("ES256", "one"));
    issuer.keys = [await signingKey("ES256", "two")];
    await issuer.clock.advance(minute);
    assert.equal((await issuer.authenticate(await issuer.token())).username, "pip");
    assert.equal(issuer.fetches, 1);
  });

  it("are read again where a key without an id was replaced", async () => {
    const issuer = new TestIssuer(await signingKey("ES256"));
    issuer.keys = [await signingKey("ES256")];
    await issuer.clock.advance(minute);
    assert.equal((await issuer.authenticate(await issuer.token())).username, "pip");
  });

  it("are read once for all tokens that wait for them", async () => {
    const issuer = new TestIssuer(await signingKey("ES256", "one"));
    issuer.keys = [await signingKey("ES256", "two")];
    await issuer.clock.advance(minute);
    const token = await issuer.token();
    await Promise.all(Array.from({ length: 20 }, () => issuer.authenticate(token)));
    assert.equal(issuer.fetches, 1);
  });

  it("are not read for each of many tokens with made-up keys", async () => {
    const issuer = new TestIssuer(await signingKey("ES256", "one"));
    const foreign = await signingKey("ES256", "made-up");
    await issuer.clock.advance(minute);
    for (let i = 0; i < 20; i++) {
      const token = await issuer.token({}, { kid: `made-up-${i}` }, foreign);
      await assert.rejects(issuer.authenticate(token), TokenRefusedError);
    }
    assert.equal(issuer.fetches, 1);
  });

  it("that the issuer took back are refused after ten minutes", async () => {
    const one = await signingKey("ES256", "one");
    const issuer = new TestIssuer(one);
    issuer.keys = [await signingKey("ES256", "two")];
    await issuer.clock.advance(9 * minute);
    assert.equal((await issuer.authenticate(await issuer.token({}, {}, one))).username, "pip");
    await issuer.clock.advance(2 * minute);
    const token = await issuer.token({}, {}, one);
    await assert.rejects(issuer.authenticate(token), TokenRefusedError);
  });

  it("go on for ten minutes while the issuer is down, and no longer", async () => {
    const issuer = new TestIssuer(await signingKey("ES256", "one"));
    issuer.isDown = true;
    await issuer.clock.advance(9 * minute);
    assert.equal((await issuer.authenticate(await issuer.token())).username, "pip");
    await issuer.clock.advance(2 * minute);
    await assert.rejects(issuer.authenticate(await issuer.token()), /the issuer is down/);
    issuer.isDown = false;
    assert.equal((await issuer.authenticate(await issuer.token())).username, "pip");
  });
});
