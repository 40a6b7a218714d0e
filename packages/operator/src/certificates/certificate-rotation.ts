import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { CertificateNeed } from "@rookery/components";
import { durationToMilliseconds, parseDuration } from "@rookery/kube";
import {
  createServingCertificate,
  type SecretData,
  type ServingCertificate,
  splitCertificates,
} from "@rookery/pki";
import { CertificateSecret, type Secret, type SecretClient } from "@rookery/runtime";
import { AuthorityNotPublishedError } from "../errors.ts";
import { secrets } from "../resources.ts";
import { isPublished } from "./published-authority.ts";
import {
  authoritySecretName,
  findSecret,
  isOwn,
  ownMetadata,
  putCertificate,
} from "./tls-secret.ts";

/** A certificate that is in its Secret, or will be as soon as API servers trust it. */
export interface IssuedCertificate {
  /** The authorities to trust, in PEM. */
  readonly caBundle: string;
  /** When to look at it again. */
  readonly renewAt: Date;
}

export interface RotationOptions {
  readonly client: Client;
  readonly now: () => Date;
  readonly settleSeconds?: number;
}

/** How soon to see whether a bundle has been applied. */
const unpublishedRetryMs = 5000;
const yearSeconds = 365 * 24 * 3600;

/**
 * One certificate with its authority and their successors. Keys of authorities are in a Secret of their
 * own, which no pod mounts; the Secret that pods mount is as cert-manager leaves it.
 *
 * Guarantees: a leaf goes into the Secret only when every webhook and conversion that is in the cluster
 * trusts its authority, and an authority is trusted for as long as leaves of it may be served: however
 * late a kubelet is, no call is refused.
 * Assumptions: who calls `advance` applies the bundle that it returns, and one process does at a time.
 */
export class CertificateRotation {
  readonly #options: RotationOptions;
  readonly #provider: Provider;
  readonly #need: CertificateNeed;
  readonly #secrets: SecretClient;
  readonly #store: CertificateSecret;
  readonly #certificate: ServingCertificate;
  #data: SecretData = {};
  /** What pods mount. */
  #mounted: Secret | undefined;
  #signal = new AbortController().signal;

  /** Errors: PkiError, ParseError where there can be no such certificate. */
  constructor(options: RotationOptions, provider: Provider, need: CertificateNeed) {
    this.#options = options;
    this.#provider = provider;
    this.#need = need;
    this.#secrets = options.client.resource(secrets);
    const key = { namespace: need.namespace, name: authoritySecretName(need) };
    this.#store = new CertificateSecret(this.#secrets, key, ownMetadata(provider));
    this.#certificate = this.#createCertificate();
  }

  /** Does what is due, and tells which authorities are to be trusted. */
  async advance(signal: AbortSignal): Promise<IssuedCertificate> {
    this.#signal = signal;
    this.#mounted = await findSecret(this.#secrets, this.#need, signal);
    const renewAt = await this.#reconcile();
    const caBundle = decode(this.#data["ca.crt"]);
    const isTakenOver = this.#mounted !== undefined && !isOwn(this.#mounted);
    if (isTakenOver && !(await this.#isPublished(caBundle))) {
      return { caBundle, renewAt: this.#soon() };
    }
    await this.#mount();
    return { caBundle, renewAt };
  }

  async #reconcile(): Promise<Date> {
    try {
      return await this.#certificate.reconcile();
    } catch (error) {
      if (error instanceof AuthorityNotPublishedError) return this.#soon();
      throw error;
    }
  }

  #createCertificate(): ServingCertificate {
    const { now, settleSeconds } = this.#options;
    return createServingCertificate({
      commonName: [...this.#need.name].slice(0, 64).join(""),
      dnsNames: this.#need.dnsNames,
      ...lifetimes(this.#need),
      ...(settleSeconds !== undefined && { settleSeconds }),
      now,
      load: () => this.#load(),
      save: async (data) => {
        await this.#store.save(data, this.#signal);
        this.#data = data;
      },
      publish: (bundle) => this.#confirm(bundle),
      // Kubelets do, once it is in its Secret.
      serve: async () => {},
    });
  }

  /** What is stored, and whatever authority pods may still serve a leaf of. */
  async #load(): Promise<SecretData | undefined> {
    const stored = await this.#store.load(this.#signal);
    if (!stored && Object.keys(this.#data).length > 0) return undefined;
    const authorities = splitCertificates(decode(stored?.["ca.crt"]));
    const mounted = splitCertificates(decode(this.#mounted?.data?.["ca.crt"]));
    const all = new Set([...authorities, ...mounted]);
    if (all.size === 0) return stored;
    this.#data = { ...stored, "ca.crt": Buffer.from([...all].join("")).toString("base64") };
    return this.#data;
  }

  /** Only a change of authorities has to wait for it; asking costs the reading of large objects. */
  async #confirm(bundle: string): Promise<void> {
    const isChanging = this.#data["tls.crt"] && this.#data["next-ca.crt"];
    if (isChanging && !(await this.#isPublished(bundle))) {
      throw new AuthorityNotPublishedError(this.#need.secretName);
    }
  }

  #isPublished(bundle: string): Promise<boolean> {
    return isPublished(this.#options.client, { bundle, in: this.#need.injectedInto }, this.#signal);
  }

  async #mount(): Promise<void> {
    const { "tls.crt": certificate, "tls.key": key, "ca.crt": authorities } = this.#data;
    if (!certificate || !key || !authorities) return;
    const data = { "ca.crt": authorities, "tls.crt": certificate, "tls.key": key };
    const wanted = { need: this.#need, provider: this.#provider, found: this.#mounted, data };
    await putCertificate(this.#secrets, wanted, this.#signal);
  }

  #soon(): Date {
    return new Date(this.#options.now().getTime() + unpublishedRetryMs);
  }
}

function lifetimes({ duration, renewBefore }: CertificateNeed) {
  const leaf = duration && seconds(duration);
  return {
    ...(leaf && { leafLifetimeSeconds: leaf }),
    ...(leaf && leaf > yearSeconds && { authorityLifetimeSeconds: leaf }),
    ...(renewBefore && { leafRenewBeforeSeconds: seconds(renewBefore) }),
  };
}

function seconds(duration: string): number {
  return Math.floor(durationToMilliseconds(parseDuration(duration)) / 1000);
}

function decode(value = ""): string {
  return Buffer.from(value, "base64").toString("utf8");
}
