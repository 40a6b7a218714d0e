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

/** Issues what self-signed Issuers of cert-manager would, and renews it. */
export class CertificateIssuer {
  readonly #options: RotationOptions;
  /** They remember since when an authority is published; all else is in Secrets. */
  readonly #rotations = new Map<string, CertificateRotation>();

  constructor(options: RotationOptions) {
    this.#options = options;
  }

  /** Errors: PhaseError where it is not possible; what the API server refuses. */
  async issue(
    provider: Provider,
    need: CertificateNeed,
    signal: AbortSignal,
  ): Promise<IssuedCertificate> {
    if (!need.selfSigned) throw notSelfSigned(need);
    try {
      return await this.#rotation(provider, need).advance(signal);
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
  return refusal(
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
  return refusal(need, `${cause.message}; ${way}`, cause);
}

function refusal({ namespace, name }: CertificateNeed, why: string, cause?: unknown): PhaseError {
  return new PhaseError("ProviderFetched", "CertificateNotPossible", {
    message: `could not issue Certificate "${namespace}/${name}": ${why}`,
    // That cert-manager is there now, or a Secret, is not watched.
    retryAfterSeconds: 60,
    cause,
  });
}
