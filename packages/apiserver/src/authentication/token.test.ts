import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "@rookery/testing";
import { requestOf } from "../../test/asking.ts";
import { createTokenAuthenticator, type TokenOptions, type TokenReviewStatus } from "./token.ts";

function createAsking(
  answer: (token: string) => TokenReviewStatus,
  options: Partial<TokenOptions> = {},
) {
  const clock = new FakeClock();
  const reviewed: object[] = [];
  const authenticate = createTokenAuthenticator({
    now: clock.date,
    review: async (spec) => {
      reviewed.push(spec);
      return answer(spec.token);
    },
    ...options,
  });
  const ask = async (authorization: string) =>
    authenticate(requestOf("/", { headers: { authorization } }));
  return { clock, reviewed, ask };
}

const knowsAll = (token: string) => ({ authenticated: true, user: { username: token } });

test("an answer counts for ten seconds", async () => {
  const { clock, reviewed, ask } = createAsking(knowsAll);
  for (let i = 0; i < 3; i++) assert.equal((await ask("Bearer a"))?.name, "a");
  await clock.advance(9_999);
  await ask("Bearer a");
  assert.equal(reviewed.length, 1);
  await clock.advance(1);
  await ask("Bearer a");
  assert.equal(reviewed.length, 2);
});

test("a refusal counts as long", async () => {
  const { reviewed, ask } = createAsking(() => ({ authenticated: false }));
  await assert.rejects(ask("Bearer a"), /invalid bearer token/);
  await assert.rejects(ask("Bearer a"), /invalid bearer token/);
  assert.equal(reviewed.length, 1);
});

test("an error is not remembered", async () => {
  const { reviewed, ask } = createAsking(() => ({ error: "expired" }));
  await assert.rejects(ask("Bearer a"), /expired/);
  await assert.rejects(ask("Bearer a"), /expired/);
  assert.equal(reviewed.length, 2);
});

test("those who ask at the same time share one review", async () => {
  const { reviewed, ask } = createAsking(knowsAll);
  await Promise.all(Array.from({ length: 5 }, () => ask("Bearer a")));
  await ask("Bearer b");
  assert.deepEqual(reviewed, [{ token: "a" }, { token: "b" }]);
});

test("a token for others is refused", async () => {
  const audiences = ["us"];
  const forThem = createAsking((token) => ({ ...knowsAll(token), audiences: ["them"] }), {
    audiences,
  });
  await assert.rejects(forThem.ask("Bearer a"), /invalid bearer token/);
  assert.deepEqual(forThem.reviewed, [{ token: "a", audiences }]);
  const forUs = createAsking((token) => ({ ...knowsAll(token), audiences }), { audiences });
  assert.equal((await forUs.ask("Bearer a"))?.name, "a");
});

test("what is no bearer token is somebody else's", async () => {
  const { reviewed, ask } = createAsking(knowsAll);
  for (const header of ["", "Bearer", "Bearer  ", "Basic YTpi"]) {
    assert.equal(await ask(header), undefined);
  }
  assert.deepEqual(reviewed, []);
});
