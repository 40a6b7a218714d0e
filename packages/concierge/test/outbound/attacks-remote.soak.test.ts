import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type HostileAnswer, startHostileServer, startSilentServer } from "@rookery/testing";
import { readKeys } from "../../src/jwt-authenticator/phases/fetch-keys.ts";
import { dialTls } from "../../src/outbound/dial.ts";
import { getJson, openWebhook } from "../../src/outbound/json-exchange.ts";

const { signal } = new AbortController();

const answers: readonly HostileAnswer[] = [
  "never answers",
  "drips its answer",
  "drips its headers",
  "sends headers without end",
  "declares 240 MB",
  "sends 240 MB in chunks",
  "sends 240 MB packed",
  "redirects to itself",
  "answers with JSON of a million levels",
];

describe("an issuer of tokens", () => {
  for (const answer of answers) {
    it(`that ${answer} where its keys are keeps the concierge waiting`, async () => {
      await using server = await startHostileServer(answer);
      const url = new URL(`https://${server.server}/keys`);
      const ask = (keys: URL) => getJson(keys, { ca: server.ca }, signal);
      await assert.rejects(readKeys(url, ask, signal), { code: "Outbound" });
    });
  }

  it("that never finishes TLS keeps the concierge waiting", async () => {
    await using server = await startSilentServer();
    const url = new URL(`https://${server.server}/keys`);
    await assert.rejects(getJson(url, {}, signal), { code: "Outbound" });
    await assert.rejects(dialTls(url, {}, signal), /no answer within/);
  });

  it("that has thousands of keys has each of them tried", async () => {
    const key = { kty: "EC", crv: "P-256", x: "a", y: "b" };
    const many = async () => ({ keys: Array.from({ length: 5000 }, () => key) });
    const url = new URL("https://issuer.example/keys");
    await assert.rejects(readKeys(url, many, signal), /more than 100 keys/);
  });
});

describe("a webhook for tokens", () => {
  it("that drips keeps whoever logs in waiting", async () => {
    await using server = await startHostileServer("drips its answer");
    using webhook = openWebhook(new URL(`https://${server.server}/review`), { ca: server.ca });
    await assert.rejects(webhook.post({}, signal), { code: "Outbound" });
  });
});
