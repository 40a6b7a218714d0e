import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { HttpHeaders } from "@rookery/http";
import type { CertificateAuthority } from "@rookery/pki";
import { FakeClock } from "@rookery/testing";
import { requestOf } from "../../test/asking.ts";
import { contextOfClient, contextOfPeer, createAuthorities } from "../../test/peers.ts";
import type { ClusterAuthentication } from "./cluster-authentication.ts";
import { createDelegatingAuthenticator } from "./delegating.ts";

const anonymous = { name: "system:anonymous", groups: ["system:unauthenticated"] };
const forged: HttpHeaders = { "x-remote-user": "admin", "x-remote-group": "system:masters" };

describe("an extension authenticates by what its cluster says", () => {
  let users: CertificateAuthority;
  let proxies: CertificateAuthority;
  let cluster: { current: ClusterAuthentication };

  before(async () => {
    ({ users, proxies } = await createAuthorities());
    const requestHeader = {
      clientCa: proxies.certificate,
      allowedNames: ["front-proxy-client"],
      usernameHeaders: ["X-Remote-User"],
      uidHeaders: ["X-Remote-Uid"],
      groupHeaders: ["X-Remote-Group"],
      extraHeaderPrefixes: ["X-Remote-Extra-"],
    };
    cluster = { current: { clientCa: users.certificate, requestHeader } };
  });

  const authenticate = (headers: HttpHeaders, context = contextOfPeer(), now?: () => Date) =>
    createDelegatingAuthenticator({
      cluster,
      reviewToken: async ({ token }) => ({
        authenticated: token === "good",
        user: { username: "sa" },
      }),
      ...(now && { now }),
    })(requestOf("/", { headers, context }));

  test("without a credential it is anonymous, whatever the headers say", async () => {
    assert.deepEqual(await authenticate({}), anonymous);
    assert.deepEqual(await authenticate(forged), anonymous);
  });

  test("a front proxy names the user, its groups, uid and extra", async () => {
    const context = await contextOfClient(proxies, { commonName: "front-proxy-client" });
    const headers = {
      "x-remote-user": "jane",
      "x-remote-uid": "42",
      "x-remote-group": ["developers", "", "a,b"],
      "x-remote-extra-scopes": ["read", "write"],
      "x-remote-extra-acme.com%2fproject": "some-project",
    };
    assert.deepEqual(await authenticate(headers, context), {
      name: "jane",
      uid: "42",
      groups: ["developers", "a,b", "system:authenticated"],
      extra: { scopes: ["read", "write"], "acme.com/project": ["some-project"] },
    });
  });

  test("a front proxy that names nobody is refused", async () => {
    const context = await contextOfClient(proxies, { commonName: "front-proxy-client" });
    await assert.rejects(async () => authenticate({}, context), { code: "Unauthenticated" });
  });

  test("a user is the name of the certificate, and headers do not count", async () => {
    const leaf = { commonName: "jane", organizations: ["developers", "testers"] };
    const user = await authenticate(forged, await contextOfClient(users, leaf));
    assert.equal(user?.name, "jane");
    assert.deepEqual(user?.groups, ["developers", "testers", "system:authenticated"]);
    const id = user?.extra?.["authentication.kubernetes.io/credential-id"]?.[0];
    assert.match(id ?? "", /^X509SHA256=[0-9a-f]{64}$/);
  });

  const refused: Record<string, () => Promise<ReturnType<typeof contextOfPeer>>> = {
    "a front proxy under another name": () => contextOfClient(proxies, { commonName: "jane" }),
    "a certificate that an unknown authority signed": async () =>
      contextOfClient((await createAuthorities()).proxies, { commonName: "front-proxy-client" }),
    "a certificate for servers": () =>
      contextOfClient(proxies, {
        commonName: "front-proxy-client",
        usages: ["server"],
        dnsNames: ["a"],
      }),
    "a user's certificate for servers": () =>
      contextOfClient(users, { commonName: "jane", usages: ["server"], dnsNames: ["a"] }),
  };
  for (const [sentence, contextOf] of Object.entries(refused)) {
    test(`refused: ${sentence}`, async () => {
      const context = await contextOf();
      await assert.rejects(async () => authenticate(forged, context), { code: "Unauthenticated" });
    });
  }

  test("a certificate that expires on an open connection no longer counts", async () => {
    const clock = new FakeClock(new Date().toISOString());
    const context = await contextOfClient(users, { commonName: "jane" });
    assert.equal((await authenticate({}, context, clock.date))?.name, "jane");
    const tenYears = new Date(clock.date().getTime() + 10 * 365 * 86_400_000);
    await assert.rejects(async () => authenticate({}, context, () => tenYears));
  });

  test("an authority that the cluster no longer trusts no longer counts", async () => {
    const context = await contextOfClient(users, { commonName: "jane" });
    const own = { current: cluster.current };
    const ask = createDelegatingAuthenticator({ cluster: own });
    assert.equal((await ask(requestOf("/", { context })))?.name, "jane");
    own.current = { clientCa: (await createAuthorities()).users.certificate };
    await assert.rejects(async () => ask(requestOf("/", { context })));
  });

  test("a token is reviewed, and a bad one is not anonymous", async () => {
    const good = await authenticate({ authorization: "Bearer good", ...forged });
    assert.deepEqual(good, { name: "sa", groups: ["system:authenticated"] });
    await assert.rejects(
      async () => authenticate({ authorization: "bearer bad" }),
      /invalid bearer token/,
    );
    assert.deepEqual(await authenticate({ authorization: "Basic abc" }), anonymous);
  });

  test("nobody is anonymous where that is off", async () => {
    const ask = createDelegatingAuthenticator({ cluster, anonymous: false });
    assert.equal(await ask(requestOf("/", {})), undefined);
  });

  test("before the cluster has said anything nobody is trusted", async () => {
    const ask = createDelegatingAuthenticator({ cluster: { current: {} } });
    const context = await contextOfClient(proxies, { commonName: "front-proxy-client" });
    assert.deepEqual(await ask(requestOf("/", { context, headers: forged })), anonymous);
  });
});
