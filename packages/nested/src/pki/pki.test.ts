import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isControlledBy } from "@rookery/kube";
import {
  createCertificateAuthority,
  createKeyPair,
  loadCertificateAuthority,
  parseCertificate,
  verifyCertificate,
} from "@rookery/pki";
import { parse } from "yaml";
import { owner, type PkiFixture, pkiFixture } from "../../test/pki/pki.ts";
import type { ReasonOf } from "../conditions.ts";
import { ControlPlaneError } from "../errors.ts";
import { secretNames } from "../names.ts";
import { ensureAuthorities } from "./authorities.ts";
import { ensureLeaves } from "./leaves.ts";
import type { PkiScope } from "./scope.ts";
import type { SecretTexts } from "./secret.ts";

const hour = 60 * 60 * 1000;

async function ensure({ scope }: PkiFixture, changes: Partial<PkiScope> = {}): Promise<Date> {
  const wanted = scope(changes);
  return ensureLeaves(wanted, await ensureAuthorities(wanted));
}

/** What was written while something was done. */
async function written({ store }: PkiFixture, act: () => Promise<unknown>): Promise<string[]> {
  store.writes = [];
  await act();
  return store.writes.toSorted();
}

describe("the certificates of a control plane", () => {
  test("are made where there are none, all owned by it, and then left alone", async () => {
    const fixture = pkiFixture();
    const made = await written(fixture, () => ensure(fixture));
    const expected = secretNames("c").filter((name) => !name.endsWith("kubeconfig"));
    assert.deepEqual(made, expected.toSorted());
    for (const secret of fixture.store.secrets.values()) {
      assert.ok(isControlledBy(secret, owner));
      assert.equal(secret.type, "cluster.x-k8s.io/secret");
      assert.equal(secret.metadata.labels?.["cluster.x-k8s.io/cluster-name"], "c");
    }
    assert.deepEqual(await written(fixture, () => ensure(fixture)), []);
  });

  test("are signed by the authority that belongs to them, for what they are used for", async () => {
    const fixture = pkiFixture();
    await ensure(fixture);
    const { store, clock } = fixture;
    const signed = [
      ["c-etcd-client-cert", "c-etcd", "client"],
      ["c-etcd-health-client-cert", "c-etcd", "client"],
      ["c-proxy-client-cert", "c-proxy", "client"],
      ["c-kubelet-client-cert", "c-ca", "client"],
      ["c-controller-manager-client-cert", "c-ca", "client"],
      ["c-apiserver-serving-cert", "c-ca", "server"],
      ["c-etcd-serving-cert", "c-etcd", "server"],
      ["c-etcd-serving-cert", "c-etcd", "client"],
    ] as const;
    for (const [name, authority, usage] of signed) {
      const caBundle = store.text(authority, "tls.crt");
      const certificate = store.text(name, "tls.crt");
      verifyCertificate({ certificate, caBundle, usage, now: clock.date() });
      assert.equal(store.text(name, "ca.crt"), caBundle);
    }
  });

  test("have the names under which their servers are reached", async () => {
    const fixture = pkiFixture();
    await ensure(fixture, { hosts: ["api.example.dev", "192.0.2.7"] });
    const caBundle = fixture.store.text("c-ca", "tls.crt");
    const certificate = fixture.store.text("c-apiserver-serving-cert", "tls.crt");
    const now = fixture.clock.date();
    for (const host of [
      "kubernetes.default.svc",
      "c-apiserver.team.svc",
      "api.example.dev",
      "192.0.2.7",
      "10.96.0.1",
      "127.0.0.1",
    ]) {
      verifyCertificate({ certificate, caBundle, host, now });
    }
    const etcd = parseCertificate(fixture.store.text("c-etcd-serving-cert", "tls.crt"));
    assert.ok(etcd.dnsNames.includes("c-etcd-4.c-etcd.team.svc"));
  });

  test("lead the controller manager to the API server, by files beside its kubeconfig", async () => {
    const fixture = pkiFixture();
    await ensure(fixture, { servicePort: 443 });
    const config = parse(fixture.store.text("c-controller-manager-client-cert", "kubeconfig"));
    assert.deepEqual(config.clusters[0].cluster, {
      server: "https://c-apiserver.team.svc:443",
      "certificate-authority": "ca.crt",
    });
    assert.equal(config.users[0].user["client-key"], "tls.key");
  });

  test("are renewed when a third of their time is left, and not before", async () => {
    const fixture = pkiFixture();
    const look = await ensure(fixture);
    assert.equal((look.getTime() - fixture.clock.date().getTime()) / hour, 60 - 5 / 60);
    await fixture.clock.advance(59 * hour);
    assert.deepEqual(await written(fixture, () => ensure(fixture)), []);
    await fixture.clock.advance(hour);
    const renewed = await written(fixture, () => ensure(fixture));
    assert.equal(renewed.length, 7);
    assert.deepEqual(await written(fixture, () => ensure(fixture)), []);
  });

  test("that end with their authority are not renewed again and again", async () => {
    const fixture = pkiFixture();
    await ensure(fixture, { caValidityMs: 100 * hour });
    await fixture.clock.advance(70 * hour);
    await ensure(fixture, { caValidityMs: 100 * hour });
    await fixture.clock.advance(25 * hour);
    assert.deepEqual(await written(fixture, () => ensure(fixture)), []);
  });

  test("have none for an API server that is about to say under which name it is reached", async () => {
    const fixture = pkiFixture();
    const first = await written(fixture, () => ensure(fixture, { awaitsEndpoint: true }));
    assert.ok(!first.includes("c-apiserver-serving-cert"));
    assert.equal(first.length, 10);
    const then = await written(fixture, () => ensure(fixture, { hosts: ["192.0.2.7"] }));
    assert.deepEqual(then, ["c-apiserver-serving-cert"]);
  });

  test("follow a change of the names under which the API server is reached", async () => {
    const fixture = pkiFixture();
    await ensure(fixture);
    const changed = await written(fixture, () => ensure(fixture, { hosts: ["new.example.dev"] }));
    assert.deepEqual(changed, ["c-apiserver-serving-cert"]);
  });

  test("are made anew where somebody spoilt them", async () => {
    const fixture = pkiFixture();
    await ensure(fixture);
    fixture.store.spoil("c-kubelet-client-cert", { "tls.key": "none" });
    fixture.store.spoil("c-proxy-client-cert", { "tls.crt": "" });
    const mended = await written(fixture, () => ensure(fixture));
    assert.deepEqual(mended, ["c-kubelet-client-cert", "c-proxy-client-cert"]);
  });

  test("follow an authority that is replaced", async () => {
    const fixture = pkiFixture();
    await ensure(fixture);
    const { certificate, key } = await createCertificateAuthority({
      commonName: "new",
      now: fixture.clock.date,
    });
    fixture.store.supply("c-etcd", { "tls.crt": certificate, "tls.key": key });
    const changed = await written(fixture, () => ensure(fixture));
    assert.deepEqual(changed, [
      "c-etcd-client-cert",
      "c-etcd-health-client-cert",
      "c-etcd-serving-cert",
    ]);
  });
});

describe("an authority that is replaced step by step", () => {
  test("is trusted beside the former one before it signs, and alone in the end", async () => {
    const fixture = pkiFixture();
    await ensure(fixture);
    const { store, clock } = fixture;
    const former = { crt: store.text("c-ca", "tls.crt"), key: store.text("c-ca", "tls.key") };
    const made = await createCertificateAuthority({ commonName: "new", now: clock.date });
    const both = (first: string, second: string) => `${first.trim()}\n${second.trim()}\n`;
    const isSignedBy = (caBundle: string) => {
      const certificate = store.text("c-apiserver-serving-cert", "tls.crt");
      verifyCertificate({ certificate, caBundle, now: clock.date() });
    };
    const rows = [
      [both(former.crt, made.certificate), former.key, former.crt],
      [both(made.certificate, former.crt), made.key, made.certificate],
      [made.certificate, made.key, made.certificate],
    ] as const;
    for (const [certificate, key, signer] of rows) {
      store.supply("c-ca", { "tls.crt": certificate, "tls.key": key });
      await ensure(fixture);
      assert.equal(store.text("c-apiserver-serving-cert", "ca.crt"), certificate);
      isSignedBy(signer);
      const signing = store.text("c-controller-manager-client-cert", "signing.crt");
      assert.equal(signing.trim(), signer.trim());
      assert.deepEqual(await written(fixture, () => ensure(fixture)), []);
    }
  });
});

describe("what somebody supplied", () => {
  async function authority(fixture: PkiFixture, algorithm?: "rsa-2048"): Promise<SecretTexts> {
    const now = fixture.clock.date;
    const options = { commonName: "supplied", now };
    const { certificate, key } = await createCertificateAuthority({
      ...options,
      ...(algorithm && { keyAlgorithm: algorithm }),
    });
    return { "tls.crt": certificate, "tls.key": key };
  }

  test("is used as it is, and never written to", async () => {
    const fixture = pkiFixture();
    const { publicKey, privateKey } = await createKeyPair("rsa-2048");
    fixture.store.supply("c-ca", await authority(fixture, "rsa-2048"));
    fixture.store.supply("c-sa", { "tls.crt": publicKey, "tls.key": privateKey });
    const before = [fixture.store.secrets.get("c-ca"), fixture.store.secrets.get("c-sa")];
    const made = await written(fixture, () => ensure(fixture));
    assert.ok(!made.includes("c-ca") && !made.includes("c-sa"));
    const after = [fixture.store.secrets.get("c-ca"), fixture.store.secrets.get("c-sa")];
    assert.deepEqual(after, before);
    await fixture.clock.advance(80 * hour);
    assert.ok(!(await written(fixture, () => ensure(fixture))).includes("c-ca"));
  });

  test("is used only where it says that it is for the Cluster, or has been used before", async () => {
    const fixture = pkiFixture();
    fixture.store.supply("c-ca", await authority(fixture), "another");
    const isRefused = (error: unknown) =>
      error instanceof ControlPlaneError && error.reason === "SecretNotLabelled";
    await assert.rejects(ensure(fixture), isRefused);
    const signed = ["c-kubelet-client-cert", "c-apiserver-serving-cert"];
    assert.ok(signed.every((name) => !fixture.store.secrets.has(name)));
    for (const name of ["etcd", "proxy", "sa"]) assert.ok(fixture.store.secrets.has(`c-${name}`));
    await ensure(fixture, { isInitialized: true });
    assert.ok(signed.every((name) => fixture.store.secrets.has(name)));
  });

  const leafOf = async (fixture: PkiFixture, texts: SecretTexts, commonName = "leaf") => {
    const loaded = await loadCertificateAuthority(
      { certificate: texts["tls.crt"] ?? "", key: texts["tls.key"] ?? "" },
      fixture.clock.date,
    );
    return loaded.issue({ commonName, usages: ["client"] });
  };

  const suppliedLeaf = async (fixture: PkiFixture, name: string, texts: SecretTexts = {}) => {
    const ca = await authority(fixture);
    fixture.store.supply("c-ca", ca);
    const { certificate, key } = await leafOf(fixture, ca);
    fixture.store.supply(name, { "tls.crt": certificate, "tls.key": key, ...texts });
    return { authority: ca["tls.crt"] ?? "", before: fixture.store.secrets.get(name) };
  };
  const manager = "c-controller-manager-client-cert";
  const companion = `${manager}-companion`;

  test("may be a certificate of a component: a Secret beside it has what it lacks", async () => {
    const fixture = pkiFixture();
    const supplied = await suppliedLeaf(fixture, manager, { "ca.crt": "my own" });
    const made = await written(fixture, () => ensure(fixture));
    assert.ok(!made.includes(manager), "it is never written");
    const { store } = fixture;
    assert.deepEqual(store.secrets.get(manager), supplied.before);
    const beside = store.secrets.get(companion);
    assert.ok(beside && isControlledBy(beside, owner));
    assert.deepEqual(Object.keys(beside.data ?? {}).toSorted(), ["kubeconfig", "signing.crt"]);
    assert.match(store.text(companion, "kubeconfig"), /c-apiserver/);
    assert.deepEqual(await written(fixture, () => ensure(fixture)), []);
  });

  test("keeps its companion as its authority is, without a private key", async () => {
    const fixture = pkiFixture();
    const { authority } = await suppliedLeaf(fixture, "c-kubelet-client-cert");
    await ensure(fixture);
    const { store } = fixture;
    const beside = "c-kubelet-client-cert-companion";
    assert.deepEqual(store.secrets.get(beside)?.data, { "ca.crt": btoa(authority) });
    store.spoil(beside, { "ca.crt": "another", "tls.key": "left over" });
    assert.deepEqual(await written(fixture, () => ensure(fixture)), [beside]);
    assert.deepEqual(store.secrets.get(beside)?.data, { "ca.crt": btoa(authority) });
  });

  test("needs no companion where it lacks nothing", async () => {
    const fixture = pkiFixture();
    await suppliedLeaf(fixture, "c-kubelet-client-cert", { "ca.crt": "my own" });
    const made = await written(fixture, () => ensure(fixture));
    assert.ok(!made.some((name) => name.endsWith("-companion")));
  });

  test("is refused with a companion that somebody else made", async () => {
    const fixture = pkiFixture();
    await suppliedLeaf(fixture, manager);
    fixture.store.supply(companion, { "ca.crt": "another's" });
    const before = fixture.store.secrets.get(companion);
    await assert.rejects(
      ensure(fixture),
      /the Secret c-controller-manager-client-cert-companion: /,
    );
    assert.deepEqual(fixture.store.secrets.get(companion), before);
  });

  const bad: Record<
    string,
    readonly [ReasonOf<"NestedControlPlane">, (fixture: PkiFixture) => Promise<void>]
  > = {
    "an authority without a key": [
      "SecretInvalid",
      async (fixture) => {
        const { "tls.crt": crt = "" } = await authority(fixture);
        fixture.store.supply("c-ca", { "tls.crt": crt });
      },
    ],
    "an authority that is no certificate": [
      "SecretInvalid",
      async ({ store }) => store.supply("c-ca", { "tls.crt": "x", "tls.key": "y" }),
    ],
    "an authority with the key of another": [
      "KeyMismatch",
      async (fixture) => {
        const { "tls.key": key = "" } = await authority(fixture);
        fixture.store.supply("c-ca", { ...(await authority(fixture)), "tls.key": key });
      },
    ],
    "an authority that may not sign": [
      "NotAnAuthority",
      async (fixture) => {
        const { certificate, key } = await leafOf(fixture, await authority(fixture));
        fixture.store.supply("c-ca", { "tls.crt": certificate, "tls.key": key });
      },
    ],
    "an authority that has expired": [
      "CertificateExpired",
      async (fixture) => {
        fixture.store.supply("c-ca", await authority(fixture));
        await fixture.clock.advance(3651 * 24 * hour);
      },
    ],
    "keys of service accounts that do not belong together": [
      "KeyMismatch",
      async ({ store }) => {
        const { publicKey } = await createKeyPair();
        const { privateKey } = await createKeyPair();
        store.supply("c-sa", { "tls.crt": publicKey, "tls.key": privateKey });
      },
    ],
    "a certificate of another authority": [
      "UntrustedCertificate",
      async (fixture) => {
        const { certificate, key } = await leafOf(fixture, await authority(fixture));
        fixture.store.supply("c-proxy-client-cert", { "tls.crt": certificate, "tls.key": key });
      },
    ],
    "a client's certificate to serve with": [
      "CertificateUnsuitable",
      async (fixture) => {
        const ca = await authority(fixture);
        fixture.store.supply("c-ca", ca);
        const { certificate, key } = await leafOf(fixture, ca);
        const texts = { "tls.crt": certificate, "tls.key": key };
        fixture.store.supply("c-apiserver-serving-cert", texts);
      },
    ],
  };
  for (const [name, [reason, prepare]] of Object.entries(bad)) {
    test(`is refused where it is ${name}`, async () => {
      const fixture = pkiFixture();
      await prepare(fixture);
      await assert.rejects(ensure(fixture), (error) => {
        assert.ok(error instanceof ControlPlaneError);
        assert.equal(error.reason, reason);
        assert.match(error.message, /the Secret c-\S+: .*; correct the Secret, or delete it/);
        assert.doesNotMatch(error.message, /PRIVATE/);
        return true;
      });
    });
  }
});

test("an authority that tenants rely on is not replaced when it is lost", async () => {
  const fixture = pkiFixture();
  await ensure(fixture);
  fixture.store.secrets.delete("c-ca");
  fixture.store.writes = [];
  await assert.rejects(
    ensure(fixture, { isInitialized: true }),
    (error) => error instanceof ControlPlaneError && error.reason === "AuthorityMissing",
  );
  assert.deepEqual(fixture.store.writes, []);
});

test("names and ranges that cannot be in a certificate are told from the API server's spec", async () => {
  for (const changes of [{ hosts: ["not a name"] }, { serviceCidr: "nowhere" }]) {
    await assert.rejects(ensure(pkiFixture(), changes), (error) => {
      assert.ok(error instanceof ControlPlaneError);
      assert.equal(error.reason, "CertificateUnsuitable");
      return true;
    });
  }
});
