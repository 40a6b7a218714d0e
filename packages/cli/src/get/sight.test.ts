import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { statusError } from "@rookery/kube";
import { Sight } from "./sight.ts";

const forbidden = () =>
  Promise.reject(statusError({ code: 403, reason: "Forbidden", message: "no" }));

describe("what a user may list", () => {
  it("is all of it, without a note", async () => {
    const sight = new Sight("team");
    assert.deepEqual(await sight.list("clusters", async (one) => [one ?? "all"]), ["all"]);
    assert.deepEqual([sight.note(), sight.unseen(["clusters"])], ["", []]);
  });

  it("is one namespace, or nothing, and the note says of what", async () => {
    const sight = new Sight("team");
    const ofOne = (one?: string) => (one === undefined ? forbidden() : Promise.resolve([one]));
    assert.deepEqual(await sight.list("providers", ofOne), ["team"]);
    assert.deepEqual(await sight.list("clusters", ofOne), ["team"]);
    assert.deepEqual(await sight.list("identities", forbidden), []);
    assert.equal(
      sight.note(),
      "You may not list all of it. Seen of namespace team alone: clusters, providers; not at all: identities.\n",
    );
    assert.deepEqual(sight.unseen(["providers", "identities"]), ["identities", "providers"]);
  });

  it("is no excuse for other errors", async () => {
    const broken = () => Promise.reject(new Error("no route"));
    await assert.rejects(new Sight("team").list("clusters", broken), /no route/);
  });
});
