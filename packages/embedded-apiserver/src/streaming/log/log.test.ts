import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { badRequestError } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { nodeObject, podObject, streamingScene } from "../../../test/streaming/streaming.ts";

const target = "/api/v1/namespaces/ns/pods/web/log";

describe("pods/log", () => {
  test("sends what the container has said, as text", async () => {
    await using scene = await streamingScene();
    const { headers } = await scene.answer(target);
    assert.equal(headers["content-type"], "text/plain");
    assert.deepEqual(await scene.ask(target), { status: 200, text: "one\ntwo\n" });
  });

  test("passes all options on", async () => {
    await using scene = await streamingScene();
    const query = "follow=1&previous=true&timestamps=TRUE&tailLines=0&limitBytes=7&sinceSeconds=5";
    await scene.ask(`${target}?container=app&${query}`);
    const [of, options] = scene.streams.logsAsked[0] ?? [];
    assert.deepEqual(of, { namespace: "ns", pod: "web", uid: "uid-web", container: "app" });
    assert.deepEqual(options, {
      follow: true,
      previous: true,
      timestamps: true,
      sinceSeconds: 5,
      tailLines: 0,
      limitBytes: 7,
    });
    await scene.ask(`${target}?sinceTime=2026-01-01T01:00:00%2B01:00&follow=0`);
    const [, since] = scene.streams.logsAsked[1] ?? [];
    assert.deepEqual(since, {
      follow: false,
      previous: false,
      timestamps: false,
      sinceTime: "2026-01-01T00:00:00Z",
    });
  });

  test("goes on until the client goes, and then so does the reading", async () => {
    await using scene = await streamingScene();
    const lines = new PassThrough();
    scene.streams.log = lines;
    const { body } = await scene.answer(`${target}?follow=true`);
    assert.ok(typeof body === "function");
    const gone = new AbortController();
    const heard: string[] = [];
    const writing = body({
      write: (chunk) => heard.push(Buffer.from(chunk).toString()) > 0,
      drained: () => Promise.resolve(),
      signal: gone.signal,
    });
    lines.write("now\n");
    await waitFor(() => heard.join("") === "now\n", { what: "a line", interval: 2 });
    gone.abort(new Error("left"));
    await assert.rejects(async () => writing);
    assert.ok(lines.destroyed);
    const [, , signal] = scene.streams.logsAsked[0] as [unknown, unknown, AbortSignal];
    assert.ok(signal.aborted);
  });

  test("a reader that does not read is waited for", async () => {
    await using scene = await streamingScene();
    const lines = new PassThrough();
    scene.streams.log = lines;
    const { body } = await scene.answer(`${target}?follow=true`);
    assert.ok(typeof body === "function");
    const gone = new AbortController();
    const writing = body({
      write: () => false,
      drained: () =>
        new Promise((_, reject) =>
          gone.signal.addEventListener("abort", () => reject(new Error("left"))),
        ),
      signal: gone.signal,
    });
    let taken = 0;
    while (lines.write(Buffer.alloc(16 * 1024)) && taken < 1_000) {
      taken += 1;
      await new Promise(setImmediate);
    }
    assert.ok(taken < 1_000);
    gone.abort();
    await assert.rejects(async () => writing);
  });

  test("a pod that nobody runs has said nothing", async () => {
    const objects = [podObject("web", { spec: { nodeName: "" } })];
    await using scene = await streamingScene({ objects });
    assert.deepEqual(await scene.ask(target), { status: 204, text: "" });
  });

  const both = "at most one of `sinceTime` or `sinceSeconds` may be specified";
  const refusals: Record<string, [query: string, status: number, message: string]> = {
    "a negative tail": [
      "tailLines=-1",
      422,
      'PodLogOptions "web" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    "no bytes": ["limitBytes=0", 422, "limitBytes: Invalid value: 0: must be greater than 0"],
    "no seconds": ["sinceSeconds=0", 422, "sinceSeconds: Invalid value: 0: must be greater than 0"],
    "two beginnings": ["sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z", 422, both],
    "one of the outputs": ["stream=Stdout", 422, "stream: Forbidden: may not be specified"],
    "what is no number": ["tailLines=x", 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    "what is no time": ["sinceTime=now", 400, 'cannot parse "now" as "2006"'],
    "a container that is none": ["container=x", 400, "container x is not valid for pod web"],
  };
  for (const [sentence, [query, status, message]] of Object.entries(refusals)) {
    test(`refuses ${sentence}`, async () => {
      await using scene = await streamingScene();
      const answer = await scene.ask(`${target}?${query}`);
      assert.equal(answer.status, status);
      assert.ok(JSON.parse(answer.text).message.includes(message), answer.text);
    });
  }

  test("says what the node says", async () => {
    await using scene = await streamingScene({ objects: [nodeObject, podObject("web")] });
    const message = 'container "app" in pod "web" is waiting to start: ContainerCreating';
    scene.streams.refusal = badRequestError(message);
    const { status, text } = await scene.ask(target);
    assert.deepEqual([status, JSON.parse(text).message], [400, message]);
  });
});
