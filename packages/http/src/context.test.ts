import assert from "node:assert/strict";
import { test } from "node:test";
import { Context, contextKey } from "./context.ts";

const user = contextKey<string>("user");
const retries = contextKey<number>("retries");

test("a context knows what was put in and nothing else", () => {
  const context = Context.empty.with(user, "ann");
  assert.equal(context.get(user), "ann");
  assert.equal(context.get(retries), undefined);
});

test("a value that is put in again hides the first one, and only from there on", () => {
  const first = Context.empty.with(user, "ann").with(retries, 1);
  const second = first.with(user, "bob");
  assert.equal(first.get(user), "ann");
  assert.equal(second.get(user), "bob");
  assert.equal(second.get(retries), 1);
});

test("keys of one name are different keys", () => {
  const context = Context.empty.with(user, "ann");
  assert.equal(context.get(contextKey<string>("user")), undefined);
});

test("an undefined value hides the one before", () => {
  const maybe = contextKey<string | undefined>("maybe");
  assert.equal(Context.empty.with(maybe, "a").with(maybe, undefined).get(maybe), undefined);
});
