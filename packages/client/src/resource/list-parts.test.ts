import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Body, HttpResponse } from "@rookery/http";
import { builtInResources, isForbidden, isResourceExpired, type KubeObject } from "@rookery/kube";
import { type Answer, FakeServer, failure, json } from "../../test/fake-server.ts";
import { UnexpectedAnswerError } from "../errors.ts";
import type { ListPart } from "./list-parts.ts";
import { createResourceClient } from "./resource-client.ts";

const resource = builtInResources.configMaps;

function page(names: string, token = ""): HttpResponse {
  const items = [...names].map((name) => ({ metadata: { name } }));
  const metadata = { resourceVersion: "7", ...(token && { continue: token }) };
  return json({ kind: "ConfigMapList", apiVersion: "v1", metadata, items });
}

const expired = failure(410, "Expired");

function setUp(...answers: Answer[]) {
  const server = new FakeServer(...answers);
  const client = createResourceClient(server.handler, resource);
  const seen: string[] = [];
  const onPart = ({ items, restarted }: ListPart<KubeObject>) => {
    seen.push(`${items.map(({ metadata }) => metadata.name).join("")}${restarted ? "↺" : ""}`);
  };
  return { server, client, seen, onPart };
}

function serve(body: Body): HttpResponse {
  return { status: 200, headers: { "content-type": "text/html" }, body };
}

describe("listing in parts", () => {
  it("takes one answer where the server gives it, whatever the limit", async () => {
    const { server, client, seen, onPart } = setUp(page("abc"));
    const metadata = await client.listParts({ limit: 2, resourceVersion: "0" }, onPart);
    assert.deepEqual(seen, ["abc"]);
    assert.deepEqual(metadata, { resourceVersion: "7" });
    assert.deepEqual(server.targets, ["GET /api/v1/configmaps?limit=2&resourceVersion=0"]);
  });

  it("goes on where the server gives it in pages, with the token alone", async () => {
    const { server, client, seen, onPart } = setUp(page("ab", "x"), page("cd", "y"), page("e"));
    const options = { limit: 2, resourceVersion: "0", labelSelector: "a" };
    assert.deepEqual(await client.listParts(options, onPart), { resourceVersion: "7" });
    assert.deepEqual(seen, ["ab", "cd", "e"]);
    assert.deepEqual(server.targets, [
      "GET /api/v1/configmaps?labelSelector=a&limit=2&resourceVersion=0",
      "GET /api/v1/configmaps?labelSelector=a&limit=2&continue=x",
      "GET /api/v1/configmaps?labelSelector=a&limit=2&continue=y",
    ]);
  });

  it("begins anew in one piece when its state is gone, and says so, even where nothing is left", async () => {
    for (const [names, parts] of Object.entries({ abc: ["ab", "↺", "abc"], "": ["ab", "↺"] })) {
      const { server, client, seen, onPart } = setUp(page("ab", "x"), expired, page(names));
      await client.listParts({ limit: 2 }, onPart);
      assert.deepEqual(seen, parts);
      assert.equal(server.last.target, "/api/v1/configmaps");
    }
  });

  it("completes the kind, which the server leaves out", async () => {
    const { client } = setUp(page("a"));
    const items: KubeObject[] = [];
    await client.listParts({}, (part) => void items.push(...part.items));
    assert.deepEqual(items, [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }]);
  });

  it("rejects with the Status of an answer, before and after the first page", async () => {
    const forbidden = setUp(failure(403, "Forbidden"));
    await assert.rejects(forbidden.client.listParts({}, forbidden.onPart), isForbidden);
    const first = setUp(expired);
    await assert.rejects(first.client.listParts({}, first.onPart), isResourceExpired);
    const second = setUp(page("a", "x"), failure(403, "Forbidden"));
    await assert.rejects(second.client.listParts({}, second.onPart), isForbidden);
  });

  it("never takes half a list for a whole one, wherever it is cut or ends", async () => {
    const whole = page("ab").body as Uint8Array;
    for (let at = 0; at < whole.length; at++) {
      const half = whole.subarray(0, at);
      const cut = setUp(
        serve((sink) => {
          sink.write(half);
          throw new Error("cut");
        }),
      );
      await assert.rejects(cut.client.listParts({}, cut.onPart), /cut/);
      const ended = setUp(serve(half));
      await assert.rejects(ended.client.listParts({}, ended.onPart), UnexpectedAnswerError);
    }
  });

  it("refuses what is not a list, without telling what it is", async () => {
    const answers: Record<string, RegExp> = {
      "<html>secret</html>": /the answer is not JSON \(text\/html\); is there a proxy/,
      '{"items":[secret]}': /the answer is not JSON/,
      '"secret"': /the answer is not a list/,
      null: /the answer is not a list/,
      "": /the answer is not JSON/,
    };
    for (const [text, message] of Object.entries(answers)) {
      const { client, onPart } = setUp(serve(Buffer.from(text)));
      const refused = (error: Error) =>
        error instanceof UnexpectedAnswerError &&
        message.test(error.message) &&
        !error.message.includes("secret");
      await assert.rejects(client.listParts({}, onPart), refused, text);
    }
  });

  it("stops reading when a callback throws, and rejects with that", async () => {
    let stopped = false;
    const { client } = setUp(
      serve(async (sink) => {
        sink.signal.addEventListener("abort", () => {
          stopped = true;
        });
        sink.write(page("a").body as Uint8Array);
        await new Promise(() => {});
      }),
    );
    const thrown = new RangeError("mine");
    await assert.rejects(
      client.listParts({}, () => {
        throw thrown;
      }),
      thrown,
    );
    assert(stopped);
  });
});
