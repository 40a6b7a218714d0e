import { verifyCertificate } from "@rookery/pki";
import { SigningError } from "../errors.ts";
import type { SigningRequests } from "./signing-requests.ts";
import {
  type ReadClientAuthorities,
  type SigningStrategy,
  type StrategyReport,
  whyNot,
} from "./strategy.ts";

export interface SigningRequestStrategyOptions {
  readonly requests: SigningRequests;
  readonly readClientAuthorities: ReadClientAuthorities;
  readonly now: () => Date;
}

const type = "CertificateSigningRequest";

/** The API takes no shorter ones. */
export const requestedSeconds = 600;

/** The subject of the trial certificate: no real user, in no group. The key is discarded. */
const trialUser = { username: "rookery:concierge-trial", groups: [] };

/** Has the cluster sign, through the API of CertificateSigningRequests. */
export function createSigningRequestStrategy(
  options: SigningRequestStrategyOptions,
): SigningStrategy {
  const { requests, readClientAuthorities, now } = options;
  return {
    // Each check leaves a trace in the audit log of the cluster.
    recheckMs: 10 * 60_000,
    async check(signal) {
      try {
        const { certificate } = await requests.sign(trialUser, signal);
        const caBundle = (await readClientAuthorities(signal)) ?? "";
        verifyCertificate({ certificate, caBundle, now: now(), usage: "client" });
        return success;
      } catch (error) {
        const why = whyNot(error, signal);
        const message = `could not have a certificate signed for a trial: ${why}`;
        return { type, status: "Error", reason: "CouldNotSignRequest", message };
      }
    },
    async sign(user, signal) {
      try {
        return await requests.sign(user, signal);
      } catch (error) {
        throw new SigningError(whyNot(error, signal), { cause: error });
      }
    },
  };
}

const success: StrategyReport = {
  type,
  status: "Success",
  reason: "SignedRequest",
  message:
    `certificates of ${requestedSeconds / 60} minutes are signed by the cluster on request: the ` +
    "API of CertificateSigningRequests gives none of 5 minutes. Configure the cluster's signing " +
    "key (--signing-secret, or --signing-cert-file and --signing-key-file) for those",
};
