import {
  type CertificateAuthority,
  createCertificateAuthority,
  type KeyAlgorithm,
} from "@rookery/pki";
import type { Bench, Side } from "@rookery/testing";

/** What ECDSA by default saves (docs/adr/0006): serving certificates, key included. */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  const authority = await createCertificateAuthority({ commonName: "bench" });
  return {
    rounds: 5,
    works: [
      {
        work: "serving certificates with a new key",
        unit: "/s",
        better: "more",
        ours: issuing(authority, { name: "ECDSA P-256", keyAlgorithm: "ecdsa-p256", count: 200 }),
        peers: [issuing(authority, { name: "RSA 2048", keyAlgorithm: "rsa-2048", count: 5 })],
        goal: 10,
      },
    ],
    async [Symbol.asyncDispose]() {},
  };
}

interface Issuing {
  readonly name: string;
  readonly keyAlgorithm: KeyAlgorithm;
  readonly count: number;
}

function issuing(authority: CertificateAuthority, { name, keyAlgorithm, count }: Issuing): Side {
  const leaf = { commonName: "bench", dnsNames: ["bench.test"], usages: ["server"] } as const;
  return {
    name,
    async round() {
      const started = performance.now();
      for (let made = 0; made < count; made++) await authority.issue({ ...leaf, keyAlgorithm });
      return count / ((performance.now() - started) / 1000);
    },
  };
}
