import type { Provider } from "@rookery/api";
import { type Client, getOptional, withSignal } from "@rookery/client";
import {
  type CertificateNeed,
  type Component,
  type ComponentKey,
  withCaBundle,
} from "@rookery/components";
import { deepEqual, durationToMilliseconds, parseDuration } from "@rookery/kube";
import {
  createServingCertificate,
  type SecretData,
  type ServingCertificate,
  splitCertificates,
} from "@rookery/pki";
import { CertificateSecret, type Secret, type SecretClient } from "@rookery/runtime";
import { componentResource } from "../components/component-client.ts";
import { AuthorityNotPublishedError } from "../errors.ts";
import { secrets } from "../resources.ts";
import {
  authoritySecretName,
  findSecret,
  isOwn,
  ownMetadata,
  putCertificate,
} from "./tls-secret.ts";

/** A certificate that is in its Secret, or will be when API servers trust its authority. */
export interface IssuedCertificate {
  /** The authorities to trust, in PEM. */
  readonly caBundle: string;
  readonly renewAt: Date;
}

export interface RotationOptions {
  readonly client: Client;
  readonly now: () => Date;
  /** The time in which API servers notice a new authority; 60 by default. */
  readonly settleSeconds?: number;
}

const unpublishedRetryMs = 5000;
const yearSeconds = 365 * 24 * 3600;

/**
 * Rotates one certificate and its authority. The keys of authorities are in a Secret that no pod mounts;
 * the mounted Secret has the form of cert-manager's.
 *
 * Guarantees: a leaf is written to the Secret only when all webhooks and conversions in the cluster trust
 * its authority; an authority is trusted as long as its leaves may be served. No call fails, however late
 * a kubelet updates the mounted Secret.
 * Assumptions: the caller of `reconcile` applies the returned bundle; one process does so at a time.
 */
export class CertificateRotation {
  readonly #options: RotationOptions;
  readonly #provider: Provider;
  readonly #need: CertificateNeed;
  readonly #secrets: SecretClient;
  readonly #store: CertificateSecret;
  readonly #certificate: ServingCertificate;
  #data: SecretData = {};
  #mounted: Secret | undefined;
  #signal = new AbortController().signal;

  /** Errors: PkiError, ParseError. */
  constructor(options: RotationOptions, provider: Provider, need: CertificateNeed) {
    this.#options = options;
    this.#provider = provider;
    this.#need = need;
    this.#secrets = options.client.resource(secrets);
    const key = { namespace: need.namespace, name: authoritySecretName(need) };
    this.#store = new CertificateSecret(this.#secrets, key, ownMetadata(provider));
    this.#certificate = this.#createCertificate();
  }

  /** Takes the next step of a rotation, and returns the authorities to trust. */
  async reconcile(signal: AbortSignal): Promise<IssuedCertificate> {
    this.#signal = signal;
    this.#mounted = await findSecret(this.#secrets, this.#need, signal);
    const renewAt = await this.#reconcileCertificate();
    const caBundle = decode(this.#data["ca.crt"]);
    const isTakenOver = this.#mounted !== undefined && !isOwn(this.#mounted);
    if (isTakenOver && !(await this.#isPublished(caBundle))) {
      return { caBundle, renewAt: this.#soon() };
    }
    await this.#mount();
    return { caBundle, renewAt };
  }

  async #reconcileCertificate(): Promise<Date> {
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
      // Kubelets serve it when it is in its Secret.
      serve: async () => {},
    });
  }

  /** The stored data, with all authorities of which pods may still serve a leaf. */
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

  /** Checked only for a change of authorities, because it reads large objects. */
  async #confirm(bundle: string): Promise<void> {
    const isChanging = this.#data["tls.crt"] && this.#data["next-ca.crt"];
    if (isChanging && !(await this.#isPublished(bundle))) {
      throw new AuthorityNotPublishedError(this.#need.secretName);
    }
  }

  #isPublished(bundle: string): Promise<boolean> {
    return isPublished(
      bundle,
      this.#need.injectedInto,
      withSignal(this.#options.client, this.#signal),
    );
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

async function isPublished(
  bundle: string,
  keys: readonly ComponentKey[],
  client: Client,
): Promise<boolean> {
  for (const key of keys) {
    const resource = await componentResource(key, client);
    if (!resource) continue;
    const live = await getOptional(client.resource<Component>(resource), { name: key.name });
    if (live && !deepEqual(withCaBundle(live, bundle), live)) return false;
  }
  return true;
}
