import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  contractOf,
  Downloader,
  type DownloaderOptions,
  type FetchReason,
  latestVersion,
  lookupIn,
  openRepository,
  parseMetadata,
  type Repository,
} from "@rookery/components";
import { withoutGo } from "./go-programs.ts";
import { type Page, type ReleaseServer, startReleaseServer, token } from "./release-server.ts";

const provider = { kind: "CoreProvider", name: "cluster-api" } as const;
const metadata = "download/v1.13.6/metadata.yaml";

describe("releases on an HTTPS server of one's own", { skip: await withoutGo() }, () => {
  let server: ReleaseServer;
  const open = (
    options: DownloaderOptions = { ca: server.ca },
    values: Record<string, string> = { FETCH_TOKEN: token },
  ): AsyncDisposable & { repository: Repository } => {
    const downloader = new Downloader(options);
    const fetchConfig = { url: server.url };
    const variables = lookupIn(values);
    const repository = openRepository({ provider, fetchConfig, variables, downloader });
    return { repository, [Symbol.asyncDispose]: () => downloader[Symbol.asyncDispose]() };
  };

  before(async () => {
    server = await startReleaseServer();
  });
  beforeEach(() => {
    server.pages.clear();
    server.requests.length = 0;
  });
  after(() => server[Symbol.asyncDispose]());

  test("versions, the latest one and the files come through a private authority and redirects", async () => {
    await using source = open();
    const { repository } = source;
    assert.deepEqual(await repository.versions(), ["v1.14.2", "v1.13.6", "v1.8.4"]);
    assert.equal(await latestVersion(repository), "v1.14.2");
    assert.equal(await latestVersion(repository, { contract: "v1beta2" }), "v1.14.2");
    const files = await repository.files("v1.8.4");
    assert.equal(contractOf(parseMetadata(files.metadata), "v1.8.4"), "v1beta1");
    assert.ok(files.components.length > 700_000);
  });

  test("the token goes to the server and not on to its storage", async () => {
    await using source = open();
    await source.repository.files("v1.13.6");
    for (const { server: where, authorization } of server.requests) {
      assert.equal(authorization, where === "releases" ? `Bearer ${token}` : undefined);
    }
    assert.ok(server.requests.some((request) => request.server === "storage"));
  });

  const inTheWay: Record<string, readonly [Page, FetchReason, RegExp]> = {
    "a file that is not there": [() => ({ status: 404, headers: {} }), "NotFound", /404/],
    "a limit": [
      () => ({ status: 429, headers: { "retry-after": "42" } }),
      "RateLimited",
      /no more requests for 42 s/,
    ],
    "an answer that breaks off": [
      () => ({
        status: 200,
        headers: { "content-length": "1000" },
        body: (sink) => {
          sink.write(new Uint8Array(100));
          throw new Error("the disk is gone");
        },
      }),
      "Truncated",
      /broke off before its end/,
    ],
    "a broken chunked answer": [
      () => ({
        status: 200,
        headers: {},
        body: async (sink) => {
          sink.write(new Uint8Array(100));
          await sink.drained();
          throw new Error("the disk is gone");
        },
      }),
      "Truncated",
      /broke off before its end/,
    ],
    "a circle": [
      ({ path }) => ({ status: 302, headers: { location: path } }),
      "TooManyRedirects",
      /more than 5 times/,
    ],
    "a server that is down": [() => ({ status: 503, headers: {} }), "Unavailable", /503/],
  };
  for (const [sentence, [page, reason, message]] of Object.entries(inTheWay)) {
    test(`${sentence} is ${reason}`, async () => {
      server.pages.set(metadata, page);
      await using source = open();
      await assert.rejects(source.repository.file("v1.13.6", "metadata.yaml"), { reason, message });
    });
  }

  test("an authority that is not given is TlsUntrusted, before anything is sent", async () => {
    await using source = open({});
    await assert.rejects(source.repository.versions(), {
      reason: "TlsUntrusted",
      message: /is not trusted.*give its authority/,
    });
    assert.deepEqual(server.requests, []);
  });

  test("a token that is not given is Unauthorized", async () => {
    await using source = open({ ca: server.ca }, {});
    await assert.rejects(source.repository.versions(), { reason: "Unauthorized" });
  });

  test("an answer that is too long is cut off as TooLarge", async () => {
    await using source = open({ ca: server.ca, limits: { bytes: 100_000 } });
    await assert.rejects(source.repository.files("v1.13.6"), { reason: "TooLarge" });
  });

  test("a server that never answers is TimedOut", async () => {
    const { promise: released, resolve } = Promise.withResolvers<void>();
    server.pages.set(metadata, async () => {
      await released;
      return { status: 200, headers: {} };
    });
    await using source = open({ ca: server.ca, limits: { milliseconds: 100 } });
    const read = source.repository.file("v1.13.6", "metadata.yaml");
    await assert.rejects(read, { reason: "TimedOut", message: /no whole answer after 100 ms/ });
    resolve();
  });

  test("a server that is not there is Unreachable", async () => {
    const downloader = new Downloader({ ca: server.ca });
    const variables = lookupIn({});
    const fetchConfig = { url: "https://127.0.0.1:1/releases" };
    const repository = openRepository({ provider, fetchConfig, variables, downloader });
    await assert.rejects(repository.versions(), { reason: "Unreachable", retryable: true });
    await downloader[Symbol.asyncDispose]();
  });

  test("no failure tells the token or the signature of the storage", async () => {
    server.pages.set(metadata, () => ({
      status: 302,
      headers: { location: "https://127.0.0.1:1/x?signature=secret" },
    }));
    await using source = open();
    const error = await source.repository
      .file("v1.13.6", "metadata.yaml")
      .catch((caught) => caught);
    assert.equal(error.reason, "Unreachable");
    assert.doesNotMatch(
      `${error.stack} ${error.cause?.stack} ${JSON.stringify(error)}`,
      /secret|token-of/,
    );
  });
});
