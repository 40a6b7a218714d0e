import { splitCertificates } from "@rookery/pki";
import { AuthenticationConfigError } from "../errors.ts";
import type { RequestHeaderConfig } from "./request-header.ts";

/** A cluster's authentication, as published for extension API servers. */
export interface ClusterAuthentication {
  /** The user CA bundle in PEM. */
  readonly clientCa?: string;
  readonly requestHeader?: RequestHeaderConfig;
}

/** The `data` of the ConfigMap kube-system/extension-apiserver-authentication. */
export type AuthenticationConfigData = Readonly<Record<string, string>>;

/** Throws an AuthenticationConfigError. */
export function parseClusterAuthentication(data: AuthenticationConfigData): ClusterAuthentication {
  const clientCa = bundleOf(data, "client-ca-file");
  const requestHeaderCa = bundleOf(data, "requestheader-client-ca-file");
  const requestHeader = requestHeaderCa && {
    clientCa: requestHeaderCa,
    allowedNames: namesOf(data, "requestheader-allowed-names"),
    usernameHeaders: namesOf(data, "requestheader-username-headers"),
    uidHeaders: namesOf(data, "requestheader-uid-headers"),
    groupHeaders: namesOf(data, "requestheader-group-headers"),
    extraHeaderPrefixes: namesOf(data, "requestheader-extra-headers-prefix"),
  };
  return { ...(clientCa && { clientCa }), ...(requestHeader && { requestHeader }) };
}

function bundleOf(data: AuthenticationConfigData, key: string): string | undefined {
  const bundle = data[key]?.trim();
  if (!bundle) return undefined;
  if (splitCertificates(bundle).length === 0) {
    throw new AuthenticationConfigError(key, "it holds no certificate in PEM");
  }
  return bundle;
}

function namesOf(data: AuthenticationConfigData, key: string): string[] {
  const text = data[key];
  if (!text) return [];
  const names = parseJson(key, text);
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) {
    throw new AuthenticationConfigError(key, "it is no JSON list of texts");
  }
  return names;
}

function parseJson(key: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AuthenticationConfigError(key, "it is no JSON", { cause });
  }
}

export interface ClusterAuthenticationOptions {
  /** Reads the data of the ConfigMap; undefined where it does not exist. */
  readonly read: (signal?: AbortSignal) => Promise<AuthenticationConfigData | undefined>;
}

/**
 * The cluster's authentication, updated by `reload`, since front-proxy authorities rotate. A failed
 * reload throws and changes nothing.
 */
export class ClusterAuthenticationSource {
  readonly #read: ClusterAuthenticationOptions["read"];
  readonly #listeners = new Set<(current: ClusterAuthentication) => void>();
  #current: ClusterAuthentication = {};
  #text = "{}";

  constructor(options: ClusterAuthenticationOptions) {
    this.#read = options.read;
  }

  /** Trusts nobody before the first reload. */
  get current(): ClusterAuthentication {
    return this.#current;
  }

  async reload(signal?: AbortSignal): Promise<void> {
    const next = parseClusterAuthentication((await this.#read(signal)) ?? {});
    const text = JSON.stringify(next);
    if (text === this.#text) return;
    this.#text = text;
    this.#current = next;
    for (const listener of this.#listeners) listener(next);
  }

  /** Calls back after each change; returns a function that unsubscribes. */
  onChange(listener: (current: ClusterAuthentication) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
