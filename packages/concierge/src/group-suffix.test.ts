import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JWTAuthenticator } from "@rookery/api";
import { createClientOver } from "@rookery/client";
import type { Handler } from "@rookery/http";
import { renamedClient } from "./group-suffix.ts";
import { jwtAuthenticators } from "./resources.ts";

const suffix = "team1.example.com";

/** A cluster that has one authenticator under the group of the suffix. */
function cluster() {
  const asked: string[] = [];
  const handler: Handler = ({ path }) => {
    asked.push(path);
    const apiVersion = `authentication.concierge.${suffix}/v1alpha1`;
    const authenticator = { apiVersion, kind: "JWTAuthenticator", metadata: { name: "corp" } };
    const headers = { "content-type": "application/json" };
    return { status: 200, headers, body: Buffer.from(JSON.stringify(authenticator)) };
  };
  return { client: createClientOver(handler), asked };
}

describe("the client of a concierge", () => {
  it("is the very one of the provider where there is no suffix, or the default one", () => {
    const { client } = cluster();
    assert.equal(renamedClient(client, ""), client);
    assert.equal(renamedClient(client, "pinniped.dev"), client);
  });

  it("has the default names where the cluster has those of the suffix", async () => {
    const { client, asked } = cluster();
    const objects = renamedClient(client, suffix).resource<JWTAuthenticator>(jwtAuthenticators);
    const found = await objects.get({ name: "corp" });
    assert.equal(found.apiVersion, "authentication.concierge.pinniped.dev/v1alpha1");
    assert.deepEqual(asked, [
      `/apis/authentication.concierge.${suffix}/v1alpha1/jwtauthenticators/corp`,
    ]);
  });
});
