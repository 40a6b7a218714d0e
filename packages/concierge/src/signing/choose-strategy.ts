import { readFile } from "node:fs/promises";
import type { Client } from "@rookery/client";
import type { Clock, ObjectKey } from "@rookery/kube";
import type { CertificateAndKey } from "@rookery/pki";
import { type Secret, sleep, systemClock } from "@rookery/runtime";
import type { ConciergeFlagValues } from "../flags.ts";
import { certificateSigningRequests, secrets } from "../resources.ts";
import { createClusterSigningKey } from "./cluster-signing-key.ts";
import { createSigningRequestStrategy, type SigningRequest } from "./signing-requests.ts";
import type { ReadClientAuthorities, SigningStrategy, StrategyReport } from "./strategy.ts";

/** The place of the cluster's signing key; all are empty without a key. */
export type SigningFlags = Pick<
  ConciergeFlagValues,
  "signingSecret" | "signingCertFile" | "signingKeyFile"
>;

export interface SigningParts {
  readonly client: Client;
  /** The prefix of the names of CertificateSigningRequests. */
  readonly name: string;
  readonly namespace: string;
  readonly readClientAuthorities: ReadClientAuthorities;
  readonly now: Clock;
}

/** The strategy in use, and the report of the other one. */
export interface ChosenStrategy {
  readonly strategy: SigningStrategy;
  readonly others: readonly StrategyReport[];
}

/** A configured key signs, otherwise the cluster. Neither falls back to the other. */
export function chooseStrategy(flags: SigningFlags, parts: SigningParts): ChosenStrategy {
  const { client, readClientAuthorities, now } = parts;
  const common = { readClientAuthorities, now };
  const key = signingKey(flags, parts);
  if (key) return { strategy: createClusterSigningKey({ ...key, ...common }), others: [notNeeded] };
  const requests = {
    client: client.resource<SigningRequest>(certificateSigningRequests),
    prefix: parts.name,
    pause: (milliseconds: number, signal: AbortSignal) => sleep(milliseconds, systemClock, signal),
  };
  return { strategy: createSigningRequestStrategy({ requests, ...common }), others: [noKey] };
}

function signingKey(flags: SigningFlags, { client, namespace }: SigningParts) {
  const { signingSecret: name, signingCertFile, signingKeyFile } = flags;
  if (name) {
    return {
      place: `the Secret ${namespace}/${name}`,
      load: (signal: AbortSignal) => loadSecret(client, { namespace, name }, signal),
    };
  }
  if (!signingKeyFile) return undefined;
  const place = `the files ${signingCertFile} and ${signingKeyFile}`;
  return { place, load: () => loadFiles(flags) };
}

const notNeeded: StrategyReport = {
  type: "CertificateSigningRequest",
  status: "Error",
  reason: "Disabled",
  message: "not used, because a signing key is configured",
};

const noKey: StrategyReport = {
  type: "KubeClusterSigningCertificate",
  status: "Error",
  reason: "Disabled",
  message:
    "not used, because no signing key is configured: --signing-secret, or --signing-cert-file and " +
    "--signing-key-file, say where it is",
};

async function loadSecret(
  client: Client,
  key: Required<ObjectKey>,
  signal: AbortSignal,
): Promise<CertificateAndKey> {
  const { data = {} } = await client.resource<Secret>(secrets).get(key, { signal });
  const text = (name: string) => Buffer.from(data[name] ?? "", "base64").toString("utf8");
  const missing = ["tls.crt", "tls.key"].filter((name) => !data[name]);
  if (missing.length > 0) throw new Error(`it has no ${missing.join(" and no ")}`);
  return { certificate: text("tls.crt"), key: text("tls.key") };
}

async function loadFiles(flags: SigningFlags): Promise<CertificateAndKey> {
  const [certificate, key] = await Promise.all([
    readFile(flags.signingCertFile, "utf8"),
    readFile(flags.signingKeyFile, "utf8"),
  ]);
  return { certificate, key };
}
