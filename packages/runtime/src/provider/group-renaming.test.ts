import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Context, compose, type Handler } from "@rookery/http";
import { groupRenaming, renamedTransport } from "./group-renaming.ts";

const apiGroup = { defaultSuffix: "pinniped.dev" };
const ignore = () => {};

describe("renaming the groups of a provider", () => {
  for (const [what, suffix] of [
    ["without a suffix", ""],
    ["with the suffix that it has anyway", "pinniped.dev"],
  ] as const) {
    it(`adds nothing ${what}: the transport is the very same`, async () => {
      const renaming = await groupRenaming(suffix, apiGroup, ignore);
      const transport = { interceptors: [(next: Handler) => next] };
      assert.equal(renamedTransport(transport, renaming), transport);
      assert.deepEqual(renaming.webhooks, []);
    });
  }

  it("is refused where the program has no suffix of its own", async () => {
    await assert.rejects(groupRenaming("team1.example.com", undefined, ignore), {
      code: "UnsupportedFlag",
      message:
        "could not use --api-group-suffix: this program has nothing for it to change; leave it out",
    });
  });

  it("is refused where the suffix cannot be one", async () => {
    const suffix = "deeper.pinniped.dev";
    await assert.rejects(groupRenaming(suffix, apiGroup, ignore), { code: "InvalidMapping" });
  });

  it("goes between what the program adds itself and the server", async () => {
    const paths: string[] = [];
    const own = (next: Handler): Handler => {
      return (request) => {
        paths.push(request.path);
        return next(request);
      };
    };
    const renaming = await groupRenaming("team1.example.com", apiGroup, ignore);
    const { interceptors = [] } = renamedTransport({ interceptors: [own] }, renaming);
    const server: Handler = ({ path }) => {
      paths.push(path);
      return { status: 200, headers: { "content-type": "application/json" } };
    };
    const { signal } = new AbortController();
    const request = { method: "GET", query: "", headers: {}, signal, context: Context.empty };
    const path = "/apis/config.concierge.pinniped.dev/v1alpha1/credentialissuers";
    await compose(server, ...interceptors)({ ...request, path });
    assert.deepEqual(paths, [
      path,
      "/apis/config.concierge.team1.example.com/v1alpha1/credentialissuers",
    ]);
  });
});
