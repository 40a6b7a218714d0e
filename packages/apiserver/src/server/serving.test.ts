import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { connect } from "node:tls";
import { type CertificateAuthority, createCertificateAuthority } from "@rookery/pki";
import { FakeClock, settled, waitFor } from "@rookery/testing";
import { askOver, createTestServer } from "../../test/asking.ts";
import { greetingGroup } from "../../test/greetings.ts";
import { MemoryStore } from "../../test/memory-store.ts";
import { createAuthorities } from "../../test/peers.ts";
import { greeting, group, path } from "../../test/stored.ts";
import { ClusterAuthenticationSource } from "../authentication/cluster-authentication.ts";
import { createDelegatingAuthenticator } from "../authentication/delegating.ts";
import type { ApiServerOptions } from "./api-server.ts";
import type { ServingOptions } from "./serving.ts";

const host = "127.0.0.1";

describe("a server that listens", () => {
  let authority: CertificateAuthority;

  before(async () => {
    authority = await createCertificateAuthority({ commonName: "servers" });
  });

  const issue = async (commonName: string) => {
    const leaf = { commonName, ipAddresses: [host], usages: ["server" as const] };
    const { certificate, key } = await authority.issue(leaf);
    return { cert: certificate, key };
  };
  const serve = async (
    options: Partial<ApiServerOptions> = {},
    serving: Partial<ServingOptions> = {},
  ) => {
    const server = createTestServer(options);
    const listening = await server.serve({ host, port: 0, tls: await issue("first"), ...serving });
    const target = { origin: listening.url, ca: authority.certificate };
    return { server, listening, target };
  };
  const servedName = (port: number) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ host, port, ca: authority.certificate }, () => {
        resolve(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      });
      socket.once("error", reject);
    });

  test("its certificate is replaced while it runs", async () => {
    const { listening, target } = await serve();
    await using _ = listening;
    assert.equal(await servedName(listening.port), "first");
    listening.replaceCertificate(await issue("second"));
    assert.equal(await servedName(listening.port), "second");
    assert.equal((await askOver(target, "/readyz")).text, "ok");
  });

  test("whom it trusts is read again and again, and counts for new connections", async () => {
    const clock = new FakeClock();
    const [old, next] = await Promise.all([createAuthorities(), createAuthorities()]);
    let data: Record<string, string> | undefined = { "client-ca-file": old.users.certificate };
    const cluster = new ClusterAuthenticationSource({ read: async () => data });
    const { server, listening, target } = await serve({
      cluster,
      timers: clock,
      authenticate: createDelegatingAuthenticator({ cluster }),
      authorize: ({ user }) => ({ decision: "NoOpinion", reason: user.groups.join() }),
    });
    await using _ = listening;
    const issueFor = async (users: CertificateAuthority) =>
      users.issue({ commonName: "jane", usages: ["client"] });
    const statusFor = async (users: CertificateAuthority) =>
      (await askOver({ ...target, as: await issueFor(users) }, "/nope")).status;
    assert.equal(await statusFor(old.users), 403);
    assert.equal(await statusFor(next.users), 401);
    data = { "client-ca-file": next.users.certificate };
    await clock.advance(60_000);
    assert.equal(await statusFor(next.users), 403);
    assert.equal(await statusFor(old.users), 401);
    data = { "client-ca-file": "nonsense" };
    await clock.advance(60_000);
    assert.equal(await statusFor(next.users), 403);
    assert.match(String(server.errors.at(-1)), /client-ca-file.*holds no certificate/);
  });

  test("it stops in order: not ready first, a delay, then what is on its way", async () => {
    const clock = new FakeClock();
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const slow = async () => {
      asked.resolve();
      await go.promise;
      return { status: 200, headers: {} };
    };
    const { listening, target } = await serve(
      { timers: clock, paths: { "/slow": slow } },
      { shutdownDelayMs: 5_000 },
    );
    const answer = askOver(target, "/slow");
    await asked.promise;
    const stopped = listening.stop();
    const { status, text } = await askOver(target, "/readyz");
    assert.equal(status, 500);
    assert.match(text, /\[-\]shutdown failed/);
    assert.equal((await askOver(target, "/livez")).status, 200);
    await clock.advance(5_000);
    await assert.rejects(askOver(target, "/livez"), { code: "ConnectionRefused" });
    go.resolve();
    assert.equal((await answer).status, 200);
    await stopped;
  });

  test("a watch goes on through the delay, and then ends cleanly", async () => {
    const clock = new FakeClock();
    const store = new MemoryStore({ group, resource: "greetings" });
    const groups = [greetingGroup(group, { handlers: store.handlers })];
    const { listening, target } = await serve(
      { timers: clock, groups },
      { shutdownDelayMs: 5_000 },
    );
    const watch = askOver(target, `${path}?watch=true`);
    await waitFor(() => store.watchers === 1, { what: "the watch" });
    const stopped = listening.stop();
    assert.equal((await askOver(target, path, { body: greeting() })).status, 201);
    await clock.advance(5_000);
    const { text } = await watch;
    assert.match(text, /^\{"type":"ADDED".*\}\n$/);
    await stopped;
  });

  test("a server that stops leaves no timer behind", async () => {
    const clock = new FakeClock();
    const cluster = new ClusterAuthenticationSource({ read: async () => ({}) });
    const { listening } = await serve({ cluster, timers: clock });
    assert.equal(clock.timers, 1);
    await listening.stop();
    await settled();
    assert.equal(clock.timers, 0);
  });

  test("it does not listen where the cluster says nothing that can be read", async () => {
    const cluster = new ClusterAuthenticationSource({
      read: () => Promise.reject(new Error("down")),
    });
    await assert.rejects(serve({ cluster }), /down/);
  });
});
