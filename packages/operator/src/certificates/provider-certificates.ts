import type { Provider } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import {
  type CertificateNeed,
  type Component,
  certManagerNeeds,
  componentKeyOf,
  formatComponentKey,
  isCertManagerObject,
  withCaBundle,
} from "@rookery/components";
import { messageOf } from "@rookery/errors";
import { ParseError } from "@rookery/kube";
import { keyMatchesCertificate, PkiError, parseCertificate, verifyCertificate } from "@rookery/pki";
import type { Secret } from "@rookery/runtime";
import { metadataOf } from "../components/component-client.ts";
import { PhaseError } from "../errors.ts";
import { customResourceDefinitions, secrets } from "../resources.ts";
import {
  CertificateRotation,
  type IssuedCertificate,
  type RotationOptions,
} from "./certificate-rotation.ts";
import { authoritySecretName, findSecret, isForeign } from "./tls-secret.ts";

function notSelfSigned(need: CertificateNeed): PhaseError {
  const { namespace, secretName } = need;
  return notIssued(
    need,
    "its issuer is not a self-signed one of the components, and cert-manager is not installed; " +
      `install cert-manager, or make the Secret "${namespace}/${secretName}" yourself with ` +
      "tls.crt, tls.key and ca.crt",
  );
}

function notPossible(need: CertificateNeed, cause: PkiError | ParseError): PhaseError {
  const isStored = cause instanceof PkiError && cause.code === "InvalidState";
  const stored = `delete the Secret "${need.namespace}/${authoritySecretName(need)}" to begin anew`;
  const way = isStored ? stored : "install cert-manager, or components that ask for less";
  return notIssued(need, `${cause.message}; ${way}`, cause);
}

function notIssued({ namespace, name }: CertificateNeed, why: string, cause?: unknown): PhaseError {
  return new PhaseError("ProviderFetched", "CertificateNotPossible", {
    message: `could not issue Certificate "${namespace}/${name}": ${why}`,
    // Neither cert-manager nor the Secret is watched.
    retryAfterSeconds: 60,
    cause,
  });
}

interface CertifiedComponents {
  readonly components: readonly Component[];
  readonly renewAfterSeconds?: number;
}

/** Takes the place of cert-manager if it is not installed. */
export class ProviderCertificates {
  readonly #options: RotationOptions;
  /** Kept because they know since when an authority is published. */
  readonly #rotations = new Map<string, CertificateRotation>();

  constructor(options: RotationOptions) {
    this.#options = options;
  }

  /**
   * Issues and rotates Secrets, injects caBundles, and leaves the objects of cert-manager out. With
   * cert-manager, returns the components unchanged. Never writes the Secret of a user. Errors: PhaseError.
   */
  async ensure(
    provider: Provider,
    components: readonly Component[],
    signal: AbortSignal,
  ): Promise<CertifiedComponents> {
    const { client, now } = this.#options;
    const { certificates, objects } = certManagerNeeds(components);
    if (objects.length === 0 || (await hasCertManager(client, signal))) return { components };
    const issued = new Map<CertificateNeed, IssuedCertificate>();
    for (const need of certificates) {
      const secret = await findSecret(client.resource(secrets), need, signal);
      const certificate =
        secret && isForeign(secret)
          ? readForeignSecret(secret, need, now())
          : await this.#issue(provider, need, signal);
      issued.set(need, certificate);
    }
    return { components: withAuthorities(components, issued), ...renewal(issued, now()) };
  }

  async #issue(
    provider: Provider,
    need: CertificateNeed,
    signal: AbortSignal,
  ): Promise<IssuedCertificate> {
    if (!need.selfSigned) throw notSelfSigned(need);
    try {
      return await this.#rotation(provider, need).reconcile(signal);
    } catch (error) {
      if (error instanceof PkiError || error instanceof ParseError) throw notPossible(need, error);
      throw error;
    }
  }

  #rotation(provider: Provider, need: CertificateNeed): CertificateRotation {
    const { injectedInto: _, ...certificate } = need;
    const key = JSON.stringify([provider.metadata.uid, certificate]);
    const known = this.#rotations.get(key);
    const rotation = known ?? new CertificateRotation(this.#options, provider, need);
    this.#rotations.set(key, rotation);
    return rotation;
  }
}

async function hasCertManager(client: Client, signal: AbortSignal): Promise<boolean> {
  const crds = metadataOf(client, customResourceDefinitions);
  const found = await getOptional(crds, { name: "certificates.cert-manager.io" }, { signal });
  return found !== undefined;
}

function withAuthorities(
  components: readonly Component[],
  issued: ReadonlyMap<CertificateNeed, IssuedCertificate>,
): readonly Component[] {
  const bundles = new Map(
    [...issued].flatMap(([{ injectedInto }, { caBundle }]) =>
      injectedInto.map((key) => [formatComponentKey(key), caBundle] as const),
    ),
  );
  return components
    .filter((component) => !isCertManagerObject(component))
    .map((component) => {
      const bundle = bundles.get(formatComponentKey(componentKeyOf(component)));
      return bundle === undefined ? component : withCaBundle(component, bundle);
    });
}

function renewal(
  issued: ReadonlyMap<CertificateNeed, IssuedCertificate>,
  now: Date,
): Pick<CertifiedComponents, "renewAfterSeconds"> {
  if (issued.size === 0) return {};
  const first = Math.min(...[...issued.values()].map(({ renewAt }) => renewAt.getTime()));
  return { renewAfterSeconds: Math.max(1, Math.ceil((first - now.getTime()) / 1000)) };
}

const fields = ["tls.crt", "tls.key", "ca.crt"] as const;

/** Reads the certificate of a user. Errors: PhaseError if webhooks cannot be called with it. */
function readForeignSecret(secret: Secret, need: CertificateNeed, now: Date): IssuedCertificate {
  const missing = fields.filter((field) => !secret.data?.[field]);
  if (missing.length > 0) throw unusable(need, `it has no ${missing.join(" and no ")}`);
  const text = (field: string) => Buffer.from(secret.data?.[field] ?? "", "base64").toString();
  const [certificate, caBundle] = [text("tls.crt"), text("ca.crt")];
  try {
    if (!keyMatchesCertificate(text("tls.key"), certificate)) {
      throw unusable(need, "tls.key is not the key of tls.crt");
    }
    for (const host of need.dnsNames) {
      verifyCertificate({ certificate, caBundle, now, usage: "server", host });
    }
    return { caBundle, renewAt: parseCertificate(certificate).notAfter };
  } catch (cause) {
    if (cause instanceof PhaseError) throw cause;
    throw unusable(need, messageOf(cause), cause);
  }
}

function unusable(need: CertificateNeed, why: string, cause?: unknown): PhaseError {
  const { namespace, secretName } = need;
  const way = `replace its ${fields.join(", ")}, or delete it and the operator issues its own`;
  return new PhaseError("ProviderFetched", "CertificateSecretUnusable", {
    message: `could not use Secret "${namespace}/${secretName}": ${why}; ${way}`,
    // Secrets of users are not watched.
    retryAfterSeconds: 60,
    cause,
  });
}
