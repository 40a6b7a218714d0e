import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HttpResponse } from "@rookery/http";
import { builtInResources, isResourceExpired, type KubeList, type KubeObject } from "@rookery/kube";
import { type Answer, FakeServer, failure, json } from "../../test/fake-server.ts";
import { settled } from "../../test/fake-time.ts";
import { createResourceClient } from "./resource-client.ts";

const resource = builtInResources.configMaps;

function page(names: string, token = ""): Answer {
  const items = [...names].map((name) => ({ metadata: { name } }));
  const metadata = {
    resourceVersion: "7",
    ...(token && { continue: token, remainingItemCount: 1 }),
  };
  return json({ kind: "ConfigMapList", apiVersion: "v1", metadata, items });
}

const expired = failure(410, "Expired");

function setUp(...answers: Answer[]) {
  const server = new FakeServer(...answers);
  return { server, client: createResourceClient(server.handler, resource) };
}

const namesOf = ({ items }: KubeList<KubeObject>) =>
  items.map(({ metadata }) => metadata.name).join("");

describe("listing in pages", () => {
  it("puts all pages of one state together", async () => {
    const { server, client } = setUp(page("ab", "x"), page("cd", "y"), page("e"));
    const list = await client.listAll({
      limit: 2,
      labelSelector: "a",
      resourceVersion: "5",
      resourceVersionMatch: "NotOlderThan",
    });
    assert.equal(namesOf(list), "abcde");
    assert.deepEqual(list.metadata, { resourceVersion: "7" });
    assert.deepEqual(server.targets, [
      "GET /api/v1/configmaps?labelSelector=a&limit=2&resourceVersion=5&resourceVersionMatch=NotOlderThan",
      "GET /api/v1/configmaps?labelSelector=a&limit=2&continue=x",
      "GET /api/v1/configmaps?labelSelector=a&limit=2&continue=y",
    ]);
  });

  it("asks for 500 at a time where not told otherwise", async () => {
    const { server, client } = setUp(page("a"));
    assert.equal(namesOf(await client.listAll()), "a");
    assert.deepEqual(server.targets, ["GET /api/v1/configmaps?limit=500"]);
  });

  it("begins anew in one piece when its state is gone", async () => {
    const { server, client } = setUp(page("ab", "x"), expired, page("abc"));
    const options = { limit: 2, resourceVersion: "5" };
    assert.equal(namesOf(await client.listAll(options)), "abc");
    assert.equal(server.last.target, "/api/v1/configmaps?resourceVersion=5");
  });

  it("begins anew from the start, even where it was to go on from somewhere", async () => {
    const { server, client } = setUp(page("b", "x"), expired, page("abc"));
    assert.equal(namesOf(await client.listAll({ continue: "w" })), "abc");
    assert.deepEqual(server.targets.at(-1), "GET /api/v1/configmaps");
  });

  it("tells a page's reader that what came before is void", async () => {
    const { client } = setUp(page("ab", "x"), page("c", "y"), expired, page("d"));
    const seen: string[] = [];
    await client.listPages({}, ({ list, restarted }) => {
      seen.push(`${namesOf(list)} ${restarted}`);
    });
    assert.deepEqual(seen, ["ab false", "c false", "d true"]);
  });

  it("does not begin anew when the first page is refused", async () => {
    const { server, client } = setUp(expired, page("a"));
    await assert.rejects(client.listAll({ resourceVersion: "1" }), isResourceExpired);
    assert.equal(server.seen.length, 1);
  });

  it("asks for the next page while one is handled, but not for the one after", async () => {
    const { server, client } = setUp(page("a", "x"), page("b", "y"), page("c"));
    const work = Promise.withResolvers<void>();
    const done = client.listPages({}, () => work.promise);
    await settled();
    assert.equal(server.seen.length, 2);
    work.resolve();
    await done;
    assert.equal(server.seen.length, 3);
  });

  it("gives up the next page when a reader throws", async () => {
    let aborted = false;
    const { client } = setUp(page("a", "x"), ({ signal }) => {
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(signal.reason);
        });
      });
    });
    await assert.rejects(
      client.listPages({}, () => Promise.reject(new Error("mine"))),
      /mine/,
    );
    assert(aborted);
  });

  it("never takes half a list for a whole one, wherever it is cut", async () => {
    const whole = (page("ab") as HttpResponse).body as Uint8Array;
    for (let at = 0; at < whole.length; at++) {
      const { client } = setUp({
        status: 200,
        headers: {},
        body: (sink) => {
          sink.write(whole.subarray(0, at));
          throw new Error("cut");
        },
      });
      await assert.rejects(client.list(), /cut/);
    }
  });

  it("is given up by its signal", async () => {
    const controller = new AbortController();
    const { client } = setUp(page("a", "x"), ({ signal }) => {
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    });
    const done = client.listAll({ signal: controller.signal });
    await settled();
    controller.abort(new Error("given up"));
    await assert.rejects(done, /given up/);
  });
});
