import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { requestOf } from "../../test/asking.ts";
import type { UserInfo } from "../request/user.ts";
import { type Authenticator, unionAuthenticator, withAuthenticatedGroup } from "./authenticator.ts";

const jane: UserInfo = { name: "jane", groups: [] };
const knows: Authenticator = () => jane;
const knowsLater: Authenticator = async () => jane;
const knowsNobody: Authenticator = () => undefined;
const knowsNobodyLater: Authenticator = async () => undefined;
const fails =
  (why: string): Authenticator =>
  () => {
    throw new Error(why);
  };
const failsLater =
  (why: string): Authenticator =>
  async () => {
    throw new Error(why);
  };

describe("authenticators are asked one after another", () => {
  const ask = (...authenticators: Authenticator[]) =>
    unionAuthenticator(...authenticators)(requestOf("/"));

  test("who is known at once need not be waited for", () => {
    assert.equal(ask(fails("a"), knowsNobody, knows, failsLater("b")), jane);
  });

  const found: Record<string, Authenticator[]> = {
    "by one who takes its time": [knowsLater, fails("a")],
    "after one who takes its time and knows nobody": [knowsNobodyLater, knows],
    "after those that fail": [failsLater("a"), fails("b"), knowsNobodyLater, knowsLater],
  };
  for (const [how, authenticators] of Object.entries(found)) {
    test(`a user is found ${how}`, async () => assert.equal(await ask(...authenticators), jane));
  }

  test("where none knows the user, all that failed are told, in their order", async () => {
    const failing = [fails("a"), failsLater("b"), knowsNobody, fails("c")];
    await assert.rejects(async () => ask(...failing), /a; b; c/);
    await assert.rejects(async () => ask(fails("a"), knowsNobody), /a/);
    assert.equal(await ask(knowsNobody, knowsNobodyLater), undefined);
  });
});

test("a user that stays the same is put into the group once", () => {
  const authenticate = withAuthenticatedGroup(knows);
  const first = authenticate(requestOf("/"));
  assert.deepEqual(first, { name: "jane", groups: ["system:authenticated"] });
  assert.equal(authenticate(requestOf("/")), first);
});
