import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { RequestError } from "@rookery/http";
import { type FakePage, fakeWeb } from "../../test/repositories/fake-web.ts";
import type { FetchReason } from "../errors.ts";

const home = "https://home.example/file";
const failing =
  (code: "TlsFailed" | "ConnectionLost" | "ConnectionRefused", stage: "connect" | "body") => () => {
    const request = { method: "GET", origin: "https://home.example", path: "/file", stage };
    throw new RequestError(request, code, { reason: "self-signed certificate" });
  };

const failures: Record<string, readonly [FakePage, FetchReason, RegExp]> = {
  "what is not there is NotFound": [{ status: 404 }, "NotFound", /it is not there \(404\)/],
  "what is refused is Unauthorized": [{ status: 401 }, "Unauthorized", /give a token/],
  "what is forbidden is Unauthorized": [{ status: 403 }, "Unauthorized", /refuses access \(403\)/],
  "a broken server is Unavailable": [{ status: 502 }, "Unavailable", /answered 502/],
  "an odd status is UnexpectedAnswer": [{ status: 204 }, "UnexpectedAnswer", /answered 204/],
  "a redirect to http is UnsafeRedirect": [
    { status: 302, headers: { location: "http://home.example/file" } },
    "UnsafeRedirect",
    /unencrypted/,
  ],
  "a circle of redirects is TooManyRedirects": [
    { status: 302, headers: { location: home } },
    "TooManyRedirects",
    /more than 5 times/,
  ],
  "too much is TooLarge": [{ body: "x".repeat(2000) }, "TooLarge", /longer than 1000 bytes/],
  "too much after decompression is TooLarge": [
    { headers: { "content-encoding": "gzip" }, body: gzipSync("x".repeat(2000)) },
    "TooLarge",
    /longer than 1000 bytes/,
  ],
  "broken gzip is Truncated": [
    { headers: { "content-encoding": "gzip" }, body: gzipSync("hello").subarray(0, 10) },
    "Truncated",
    /gzip is broken/,
  ],
  "a certificate that leads nowhere is TlsUntrusted": [
    failing("TlsFailed", "connect"),
    "TlsUntrusted",
    /not trusted: self-signed certificate; give its authority/,
  ],
  "a body that breaks off is Truncated": [
    failing("ConnectionLost", "body"),
    "Truncated",
    /broke off before its end/,
  ],
  "a server that is not there is Unreachable": [
    failing("ConnectionRefused", "connect"),
    "Unreachable",
    /could not fetch/,
  ],
};
for (const [sentence, [page, reason, message]] of Object.entries(failures)) {
  test(sentence, async () => {
    const { downloader } = fakeWeb({ [home]: page }, { limits: { bytes: 1000 } });
    await assert.rejects(downloader.get({ url: home }), { name: "FetchError", reason, message });
  });
}

const waits: Record<string, readonly [FakePage, number]> = {
  seconds: [{ status: 429, headers: { "retry-after": "17" } }, 17],
  "a date that has passed": [
    { status: 429, headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" } },
    0,
  ],
  "nothing at all": [{ status: 429 }, 60],
  "GitHub's reset time": [
    { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1445412480" } },
    0,
  ],
  "GitHub's secondary limit": [{ status: 403, headers: { "retry-after": "5" } }, 5],
};
for (const [sentence, [page, retryAfterSeconds]] of Object.entries(waits)) {
  test(`a rate limit with ${sentence} tells how long to wait`, async () => {
    const { downloader } = fakeWeb({ [home]: page });
    await assert.rejects(downloader.get({ url: home }), {
      reason: "RateLimited",
      retryable: true,
      retryAfterSeconds,
      message: /GITHUB_TOKEN/,
    });
  });
}

test("redirects are followed, and the token stays at home", async () => {
  const { downloader, requests } = fakeWeb({
    [home]: { status: 302, headers: { location: "/moved" } },
    "https://home.example/moved": {
      status: 307,
      headers: { location: "https://storage.example/x?signature=s" },
    },
    "https://storage.example/x?signature=s": "content",
  });
  assert.equal(await downloader.text({ url: home, authorization: "Bearer t" }), "content");
  assert.deepEqual(
    requests.map(({ authorization }) => authorization),
    ["Bearer t", "Bearer t", undefined],
  );
});

test("the token does not come back after a way through another host", async () => {
  const { downloader, requests } = fakeWeb({
    [home]: { status: 302, headers: { location: "https://other.example/" } },
    "https://other.example/": { status: 302, headers: { location: "https://home.example/back" } },
    "https://home.example/back": "content",
  });
  await downloader.text({ url: home, authorization: "Bearer t" });
  assert.equal(requests.at(-1)?.authorization, undefined);
});

test("no failure tells a query, a user or a token", async () => {
  const target = "https://storage.example/x?signature=hidden";
  const { downloader } = fakeWeb({
    [home]: { status: 302, headers: { location: target } },
    [target]: { status: 500 },
  });
  const error = await downloader.get({ url: home, authorization: "Bearer hidden" }).catch(String);
  assert.match(
    String(error),
    /could not fetch https:\/\/storage.example\/x: the server answered 500/,
  );
  assert.doesNotMatch(String(error), /hidden/);
});

test("compressed answers are read, and JSON that is none is UnexpectedAnswer", async () => {
  const { downloader } = fakeWeb({
    [home]: { headers: { "content-encoding": "gzip" }, body: gzipSync("[1]") },
    "https://home.example/page": "<html>",
  });
  assert.deepEqual((await downloader.list({ url: home })).value, [1]);
  const unexpected = { reason: "UnexpectedAnswer", message: /the answer is no JSON/ };
  await assert.rejects(downloader.list({ url: "https://home.example/page" }), unexpected);
  await assert.rejects(downloader.object({ url: home }), unexpected);
});

test("a URL without encryption is refused before anything is sent", async () => {
  const { downloader, requests } = fakeWeb({});
  await assert.rejects(downloader.get({ url: "http://home.example/x" }), {
    reason: "InvalidFetchConfig",
    message: /only https is allowed/,
  });
  assert.deepEqual(requests, []);
});

test("the caller's abort is told as what it is", async () => {
  const controller = new AbortController();
  const aborting = () => {
    controller.abort(new Error("enough"));
    return failing("ConnectionLost", "body")();
  };
  const { downloader } = fakeWeb({ [home]: aborting });
  await assert.rejects(downloader.get({ url: home, signal: controller.signal }), /^Error: enough$/);
});
