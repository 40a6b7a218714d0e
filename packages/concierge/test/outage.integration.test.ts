import assert from "node:assert/strict";
import { it } from "node:test";
import { createTemporaryFolder, startKubernetes, waitFor } from "@rookery/testing";
import { OidcIssuer } from "./oidc-issuer.ts";
import { RunningConcierge } from "./running-concierge.ts";

it("a concierge goes on when the API server comes back, with what has changed meanwhile", async () => {
  await using kubernetes = await startKubernetes({ private: true });
  await using folder = await createTemporaryFolder("outage");
  await using issuer = await OidcIssuer.start();
  await using concierge = await RunningConcierge.start({
    kubernetes,
    folder: folder.path,
    suffix: "outage.example.com",
    withKey: true,
  });
  await concierge.trust(issuer, "corp", "cluster");
  const token = await issuer.token({ username: "pip", aud: "cluster" });
  assert.ok((await concierge.exchange(token)).body.status.credential);

  await kubernetes.apiServer.restart({ kill: true });
  const isTaken = async (name: string) =>
    (await concierge.exchange(token, { name })).body.status?.credential !== undefined;
  const timeout = 180_000;
  await waitFor(() => isTaken("corp"), { what: "tokens to be taken again", timeout });
  await concierge.trust(issuer, "later", "cluster");
  // Right after its start the aggregator may lose sight of the concierge once more.
  await waitFor(() => isTaken("later"), { what: "tokens for the new one to be taken", timeout });
});
