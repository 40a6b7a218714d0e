import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeTime } from "../../test/fake-time.ts";
import type { UserConfig } from "../kubeconfig/client-config.ts";
import { createCredentialSource } from "./credential-source.ts";
import { ExecPlugin } from "./exec-plugin.ts";

const exec = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: "x",
  args: [],
  env: {},
  interactiveMode: "Never",
  provideClusterInfo: false,
} as const;

function sourceOf(user: UserConfig, server = "https://a") {
  return createCredentialSource({ server, namespace: "default", user }, new FakeTime());
}

describe("credentials", () => {
  it("of a token", async () => {
    const source = sourceOf({ token: "t" });
    assert.deepEqual(await source?.get(), { authorization: "Bearer t" });
    assert.equal(await source?.renew({}), undefined);
  });

  it("of a user and password", async () => {
    const source = sourceOf({ basic: { username: "u", password: "p:w" } });
    assert.deepEqual(await source?.get(), { authorization: "Basic dTpwOnc=" });
  });

  it("come from a plugin only where there is nothing else, as in client-go", () => {
    const certificate = { cert: { pem: "" }, key: { pem: "" } };
    assert(sourceOf({ exec }) instanceof ExecPlugin);
    assert(!(sourceOf({ exec, token: "t" }) instanceof ExecPlugin));
    assert.equal(sourceOf({ exec, certificate }), undefined);
  });

  it("never go over a connection without TLS", () => {
    assert.equal(sourceOf({ token: "t" }, "http://a"), undefined);
  });
});
