import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeTime } from "../../test/fake-time.ts";
import { temporaryFiles } from "../../test/temporary-files.ts";
import { CredentialError } from "../errors.ts";
import { TokenFile } from "./token-file.ts";

describe("a token file", () => {
  it("is read once, and again after a minute at the latest", async () => {
    await using files = await temporaryFiles({ token: " one\n" });
    const time = new FakeTime();
    const source = new TokenFile({ file: files.path("token"), timekeeper: time });
    assert.deepEqual(await source.get(), { authorization: "Bearer one" });

    await files.write("token", "two");
    await time.pass(49_000);
    assert.deepEqual(await source.get(), { authorization: "Bearer one" });
    await time.pass(1_000);
    assert.deepEqual(await source.get(), { authorization: "Bearer two" });
  });

  it("is read at once when its token was refused", async () => {
    await using files = await temporaryFiles({ token: "one" });
    const source = new TokenFile({ file: files.path("token"), timekeeper: new FakeTime() });
    const one = await source.get();
    assert.equal(await source.renew(one), undefined, "there is no other yet");
    await files.write("token", "two");
    const two = await source.renew(one);
    assert.deepEqual(two, { authorization: "Bearer two" });
    assert.equal(await source.renew(one), two, "another request had it renewed already");
  });

  it("may be gone for a while", async () => {
    await using files = await temporaryFiles({ token: "one" });
    const time = new FakeTime();
    const source = new TokenFile({ file: files.path("token"), timekeeper: time });
    await source.get();
    await files.remove("token");
    await time.pass(60_000);
    assert.deepEqual(await source.get(), { authorization: "Bearer one" });
  });

  it("may come later than the token to begin with", async () => {
    await using files = await temporaryFiles();
    const time = new FakeTime();
    const file = files.path("token");
    const source = new TokenFile({ file, token: "first", timekeeper: time });
    assert.deepEqual(await source.get(), { authorization: "Bearer first" });
    await files.write("token", "second");
    await time.pass(60_000);
    assert.deepEqual(await source.get(), { authorization: "Bearer second" });
  });

  it("that is missing or empty is an error that names it", async () => {
    await using files = await temporaryFiles({ empty: "\n" });
    const source = (name: string) =>
      new TokenFile({ file: files.path(name), timekeeper: new FakeTime() });
    await assert.rejects(
      async () => source("gone").get(),
      (error) =>
        error instanceof CredentialError &&
        /could not get credentials: the token file \S+gone cannot be read: ENOENT/.test(
          error.message,
        ),
    );
    await assert.rejects(async () => source("empty").get(), /the token file \S+empty is empty/);
  });
});
