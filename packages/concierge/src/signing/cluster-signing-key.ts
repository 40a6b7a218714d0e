import { messageOf } from "@rookery/errors";
import {
  type CertificateAndKey,
  type CertificateAuthority,
  loadCertificateAuthority,
  parseCertificate,
  splitCertificates,
} from "@rookery/pki";
import type { UserInfo } from "../authenticators/authenticator.ts";
import { SigningError } from "../errors.ts";
import {
  clientAuthoritiesPlace,
  failureMessage,
  type IssuedCredential,
  type ReadClientAuthorities,
  type SigningStrategy,
  type StrategyReport,
} from "./strategy.ts";

export interface ClusterSigningKeyOptions {
  /** The place of the key, for messages: "the Secret concierge/signing-key". */
  readonly place: string;
  readonly load: (signal: AbortSignal) => Promise<CertificateAndKey>;
  readonly readClientAuthorities: ReadClientAuthorities;
  readonly now: () => Date;
}

const type = "KubeClusterSigningCertificate";
const lifetimeSeconds = 5 * 60;

/** Signs with the key of an authority whose clients the API server trusts. */
export function createClusterSigningKey(options: ClusterSigningKeyOptions): SigningStrategy {
  let authority: CertificateAuthority | undefined;
  return {
    // The key and the trusted authorities may be renewed at any time.
    recheckMs: 60_000,
    async check(signal) {
      try {
        authority = await loadTrusted(options, signal);
        return success(authority, options);
      } catch (error) {
        authority = undefined;
        const why = failureMessage(error, signal);
        const message = `could not use the signing key of ${options.place}: ${why}`;
        return { type, status: "Error", reason: "CouldNotFetchKey", message };
      }
    },
    async sign(user, signal) {
      // Before the first check of a new replica.
      authority ??= await loadTrusted(options, signal).catch((error) => {
        throw new SigningError(failureMessage(error, signal), { cause: error });
      });
      return issue(authority, user);
    },
  };
}

async function loadTrusted(
  { load, readClientAuthorities, now }: ClusterSigningKeyOptions,
  signal: AbortSignal,
): Promise<CertificateAuthority> {
  const authority = await loadCertificateAuthority(await load(signal), now);
  const trusted = splitCertificates((await readClientAuthorities(signal)) ?? "");
  const { fingerprints, subject } = parseCertificate(authority.certificate);
  if (trusted.some((pem) => parseCertificate(pem).fingerprints.sha256 === fingerprints.sha256)) {
    return authority;
  }
  const why = `the API server does not trust clients by "${subject.commonName}"`;
  throw new Error(`${why}: it is not in ${clientAuthoritiesPlace}`);
}

function success(
  { certificate }: CertificateAuthority,
  { place }: ClusterSigningKeyOptions,
): StrategyReport {
  const { subject } = parseCertificate(certificate);
  const message =
    `certificates of ${lifetimeSeconds / 60} minutes are signed with the key of ` +
    `"${subject.commonName}" from ${place}`;
  return { type, status: "Success", reason: "FetchedKey", message };
}

async function issue(authority: CertificateAuthority, user: UserInfo): Promise<IssuedCredential> {
  try {
    const { certificate, key } = await authority.issue({
      commonName: user.username,
      organizations: user.groups,
      usages: ["client"],
      lifetimeSeconds,
    });
    return { certificate, key, expires: parseCertificate(certificate).notAfter };
  } catch (error) {
    throw new SigningError(messageOf(error), { cause: error });
  }
}
