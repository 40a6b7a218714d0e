import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type Body,
  BodyTooLargeError,
  collectBody,
  type Handler,
  type HttpRequest,
} from "@rookery/http";
import { request } from "../test/handler.ts";
import { limitRequestBody } from "./limit-body.ts";

/** Reads what arrives, as an upstream does. */
const reading: Handler = async ({ body }) => ({
  status: 200,
  headers: {},
  body: await collectBody(body, { limit: 1 << 20 }),
});

async function send(parts: Partial<HttpRequest>): Promise<string> {
  const { body } = await limitRequestBody(5)(reading)(request({ method: "POST", ...parts }));
  return Buffer.from(await collectBody(body, { limit: 1 << 20 })).toString();
}

const chunked =
  (...texts: string[]): Body =>
  async (sink) => {
    for (const text of texts) if (!sink.write(Buffer.from(text))) await sink.drained();
  };

describe("the body of a request", () => {
  const proxied = "/api/v1/namespaces/a/services/b/proxy/upload";
  const passing: Record<string, [Partial<HttpRequest>, string]> = {
    "passes where there is none": [{}, ""],
    "passes as bytes": [{ body: Buffer.from("12345") }, "12345"],
    "passes in chunks": [{ body: chunked("12", "345") }, "12345"],
    "passes with its length": [
      { body: chunked("12", "345"), headers: { "content-length": "5" } },
      "12345",
    ],
    "has no limit on its way to a Service": [
      { body: chunked("123456789"), path: proxied },
      "123456789",
    ],
  };
  for (const [name, [parts, text]] of Object.entries(passing)) {
    it(name, async () => assert.equal(await send(parts), text));
  }

  const refused: Record<string, Partial<HttpRequest>> = {
    "is refused as bytes": { body: Buffer.from("123456") },
    "is refused by its length, unread": {
      body: () => assert.fail("it was read"),
      headers: { "content-length": "6" },
    },
    "is cut off in chunks": { body: chunked("123", "456", "789") },
    "is cut off where only its path looks like a Service's": {
      body: chunked("123456789"),
      path: "/apis/example.com/v1/namespaces/a/widgets/b/proxy/upload",
    },
  };
  for (const [name, parts] of Object.entries(refused)) {
    it(name, () => assert.rejects(() => send(parts), BodyTooLargeError));
  }
});
