import { readFile } from "node:fs/promises";
import type { Client } from "@rookery/client";
import type { Clock, ObjectKey } from "@rookery/kube";
import type { CertificateAndKey } from "@rookery/pki";
import type { Secret } from "@rookery/runtime";
import { certificateSigningRequests, secrets } from "../resources.ts";
import { createClusterSigningKey } from "./cluster-signing-key.ts";
import { createSigningRequestStrategy, requestedSeconds } from "./signing-request-strategy.ts";
import { createSigningRequests } from "./signing-requests.ts";
import type { ReadClientAuthorities, SigningStrategy, StrategyReport } from "./strategy.ts";

/** Where the cluster's signing key is; nowhere where all are empty. */
export interface SigningFlags {
  readonly signingSecret: string;
  readonly signingCertFile: string;
  readonly signingKeyFile: string;
}

export interface SigningParts {
  readonly client: Client;
  /** Requests for certificates begin with it. */
  readonly name: string;
  readonly namespace: string;
  readonly readClientAuthorities: ReadClientAuthorities;
  readonly now: Clock;
}

/** The strategy in use, and what is said of the other. */
export interface ChosenStrategy {
  readonly strategy: SigningStrategy;
  readonly others: readonly StrategyReport[];
}

/** With a key, it signs; else the cluster does. One never stands in for the other unasked. */
export function chooseStrategy(flags: SigningFlags, parts: SigningParts): ChosenStrategy {
  const { namespace, client, readClientAuthorities, now } = parts;
  const common = { readClientAuthorities, now };
  const secret = { namespace, name: flags.signingSecret };
  if (flags.signingSecret) {
    const place = `the Secret ${namespace}/${secret.name}`;
    const load = (signal: AbortSignal) => loadSecret(client, secret, signal);
    return { strategy: createClusterSigningKey({ place, load, ...common }), others: [notNeeded] };
  }
  if (flags.signingKeyFile) {
    const place = `the files ${flags.signingCertFile} and ${flags.signingKeyFile}`;
    const load = () => loadFiles(flags);
    return { strategy: createClusterSigningKey({ place, load, ...common }), others: [notNeeded] };
  }
  const requests = createSigningRequests({
    client: client.resource(certificateSigningRequests),
    prefix: parts.name,
    lifetimeSeconds: requestedSeconds,
    pause: wait,
  });
  return { strategy: createSigningRequestStrategy({ requests, ...common }), others: [noKey] };
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

/** Rejects with the signal's reason. */
async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { setTimeout } = await import("node:timers/promises");
  await setTimeout(milliseconds, undefined, { signal });
}
