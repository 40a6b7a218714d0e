import assert from "node:assert/strict";
import { type CertificateInfo, parseCertificate } from "../../src/certificate-info.ts";
import type { CertificateAndKey } from "../../src/keys.ts";
import {
  createServingCertificate,
  type ServingCertificate,
} from "../../src/rotation/serving-certificate.ts";
import type { SecretData } from "../../src/rotation/state.ts";
import { verifyCertificate } from "../../src/verification.ts";

/** Where a reconcile is cut off: at its nth call to the outside, before or after it took effect. */
export interface Cut {
  readonly call: number;
  readonly moment: "before" | "after";
  /** Whether the process dies, or only sees an error. */
  readonly kills: boolean;
}

class CutOff extends Error {}

/**
 * For tests: a Secret, a published bundle, a server and a clock around a serving certificate. After
 * everything that happens, a client connects.
 */
export class RotationWorld {
  readonly settleSeconds = 60;
  readonly published: { bundle: string; at: number }[] = [];
  readonly events: string[] = [];
  dnsNames: readonly string[] = ["webhook.system.svc"];
  leafRenewBeforeSeconds: number | undefined;
  secret: SecretData | undefined;
  inService: CertificateAndKey | undefined;
  time = Date.UTC(2030, 0, 1);
  #process: ServingCertificate | undefined;
  #leaves: CertificateAndKey[] = [];
  #calls = 0;
  #cut: Cut | undefined;

  get now(): Date {
    return new Date(this.time);
  }

  get lastBundle(): string {
    return this.published.at(-1)?.bundle ?? "";
  }

  /** One reconcile; resolves to nothing when it was cut off. */
  async reconcile(cut?: Cut): Promise<Date | undefined> {
    this.#process ??= this.#start();
    this.#calls = 0;
    this.#cut = cut;
    try {
      return await this.#process.reconcile();
    } catch (error) {
      if (!(error instanceof CutOff)) throw error;
      if (cut?.kills) this.kill();
      return undefined;
    }
  }

  kill(): void {
    this.#process = undefined;
    this.inService = undefined;
  }

  advance(seconds: number): void {
    this.time += seconds * 1000;
    this.connect();
  }

  /** A client that knows the last bundle must accept the leaf, unless time has run out on it. */
  connect(leaf = this.inService, caBundle = this.lastBundle): void {
    if (!leaf) return;
    const { certificate } = leaf;
    try {
      verifyCertificate({ certificate, caBundle, now: this.now, usage: "server" });
    } catch (error) {
      assert.equal((error as { code?: string }).code, "Expired", String(error));
    }
  }

  /** The same with clients that still trust an earlier bundle and servers with an earlier leaf. */
  connectLate(): void {
    const valid = ({ notAfter }: CertificateInfo) => notAfter > this.now;
    this.#leaves = this.#leaves.filter((leaf) => valid(parseCertificate(leaf.certificate)));
    for (const [index, { bundle }] of this.published.entries()) {
      const replacedAt = this.published[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      const inUse = this.time < replacedAt + this.settleSeconds * 1000;
      if (inUse) for (const leaf of this.#leaves) this.connect(leaf, bundle);
    }
  }

  #start(): ServingCertificate {
    return createServingCertificate({
      commonName: "webhook",
      dnsNames: this.dnsNames,
      authorityLifetimeSeconds: 9 * 3600,
      leafLifetimeSeconds: 3 * 3600,
      settleSeconds: this.settleSeconds,
      ...(this.leafRenewBeforeSeconds && { leafRenewBeforeSeconds: this.leafRenewBeforeSeconds }),
      now: () => this.now,
      load: async () => this.secret,
      save: (data) => this.#call("save", () => (this.secret = data)),
      publish: (bundle) => this.#call("publish", () => this.#publish(bundle)),
      serve: (leaf) => this.#call("serve", () => this.#serve(leaf)),
    });
  }

  #serve(leaf: CertificateAndKey): void {
    this.inService = leaf;
    this.#leaves.push(leaf);
  }

  #publish(bundle: string): void {
    if (bundle !== this.lastBundle) this.published.push({ bundle, at: this.time });
  }

  async #call(name: string, effect: () => unknown): Promise<void> {
    const cut = this.#cut?.call === this.#calls++ ? this.#cut : undefined;
    this.time += 1000;
    if (cut?.moment === "before") throw new CutOff();
    effect();
    this.events.push(name);
    this.connect();
    if (cut?.moment === "after") throw new CutOff();
  }
}
