import type { Provider } from "@rookery/api";
import type { CertificateNeed } from "@rookery/components";
import { ParseError } from "@rookery/kube";
import { PkiError } from "@rookery/pki";
import { PhaseError } from "../errors.ts";
import {
  CertificateRotation,
  type IssuedCertificate,
  type RotationOptions,
} from "./certificate-rotation.ts";
import { authoritySecretName } from "./tls-secret.ts";

/** Issues and renews certificates in place of self-signed Issuers of cert-manager. */
export class CertificateIssuer {
  readonly #options: RotationOptions;
  /** Kept because they know since when an authority is published. */
  readonly #rotations = new Map<string, CertificateRotation>();

  constructor(options: RotationOptions) {
    this.#options = options;
  }

  /** Errors: PhaseError, errors of the API server. */
  async issue(
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
    const rotation =
      this.#rotations.get(key) ?? new CertificateRotation(this.#options, provider, need);
    this.#rotations.set(key, rotation);
    return rotation;
  }
}

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
