import type { Provider } from "@rookery/api";
import {
  type Client,
  getOptional,
  ignoreAlreadyExists,
  ignoreNotFound,
  type ResourceClient,
} from "@rookery/client";
import { type ObjectKey, ownerReferenceTo } from "@rookery/kube";
import { metadataOnlyClient } from "@rookery/runtime";
import { PhaseError } from "../errors.ts";
import { secrets } from "../resources.ts";
import type { InstallState, Release } from "./install-state.ts";
import { releaseId, unpackRelease } from "./release.ts";
import { type StateSeal, sealSecretName } from "./state-seal.ts";
import {
  partsAnnotation,
  providerUidLabel,
  releaseKey,
  rememberedLabel,
  type SecretObject,
  stateFinalizer,
  stateKey,
  stateMetadata,
  stateOf,
  stateSecret,
} from "./state-secrets.ts";

/** Releases are large; providers that wait for the same core are installed at the same time. */
const mostLatest = 3;

/** Caches the last written releases by the name of their Secret. */
export class LatestReleases {
  readonly #latest = new Map<string, Release>();

  keep(name: string, release: Release): void {
    this.#latest.set(name, release);
    const [oldest = ""] = this.#latest.keys();
    if (this.#latest.size > mostLatest) this.#latest.delete(oldest);
  }

  /** Removes the release, which is rarely read twice. */
  take(name: string): Release | undefined {
    const latest = this.#latest.get(name);
    this.#latest.delete(name);
    return latest;
  }
}

/** A state with the resourceVersion that a write requires. */
export interface Recorded {
  readonly state: InstallState;
  readonly resourceVersion: string;
}

interface StateStoreOptions {
  readonly client: Client;
  readonly seal: StateSeal;
  readonly latestReleases: LatestReleases;
}

/** Stores states and releases in Secrets, and never reads them from a cache. */
export class StateStore {
  readonly #client: Client;
  readonly #seal: StateSeal;
  readonly #latest: LatestReleases;
  readonly #secrets: ResourceClient<SecretObject>;

  constructor({ client, seal, latestReleases }: StateStoreOptions) {
    this.#client = client;
    this.#seal = seal;
    this.#latest = latestReleases;
    this.#secrets = client.resource<SecretObject>(secrets);
  }

  /** Rejects with a PhaseError if the state was not written by the operator. */
  async load(provider: Provider): Promise<Recorded | undefined> {
    // Also for a provider without a state, because the records of others are verified too.
    await this.#seal.open();
    const secret = await this.#get(stateKey(provider));
    if (secret?.data?.state === undefined) return undefined;
    if (!(await this.#seal.isGenuine(secret))) throw notTrusted(secret);
    const state = stateOf(secret);
    return state && { state, resourceVersion: secret.metadata.resourceVersion ?? "" };
  }

  /** Rejects with a Conflict or AlreadyExists after a write since `before` was read. */
  async save(
    provider: Provider,
    state: InstallState,
    before: Recorded | undefined,
  ): Promise<Recorded> {
    const metadata = {
      ...stateMetadata(provider, state),
      ...(before && { resourceVersion: before.resourceVersion }),
    };
    const secret = await this.#seal.sealed(stateSecret(metadata, state));
    const written = before
      ? await this.#secrets.update(secret)
      : await this.#secrets.create(secret);
    return { state, resourceVersion: written.metadata.resourceVersion ?? "" };
  }

  /** Existing Secrets are equal, because the id is a hash of the content. `parts` come from `packRelease`. */
  async putRelease(
    provider: Provider,
    release: Release,
    parts: readonly Uint8Array[],
  ): Promise<void> {
    for (const [index, part] of parts.entries()) {
      const secret: SecretObject = {
        apiVersion: "v1",
        kind: "Secret",
        type: `${rememberedLabel}-release`,
        immutable: true,
        metadata: {
          ...releaseKey(provider, release.reference.id, index),
          labels: { [rememberedLabel]: "release", [providerUidLabel]: provider.metadata.uid ?? "" },
          annotations: { [partsAnnotation]: `${parts.length}` },
          ownerReferences: [ownerReferenceTo(provider)],
        },
        data: { release: Buffer.from(part).toString("base64") },
      };
      await ignoreAlreadyExists(this.#secrets.create(secret));
    }
    this.#latest.keep(releaseKey(provider, release.reference.id, 0).name, release);
  }

  /** Undefined if it is missing, incomplete, or does not match its id. */
  async getRelease(provider: Provider, id: string): Promise<Release | undefined> {
    const key = releaseKey(provider, id, 0);
    const latest = this.#latest.take(key.name);
    if (latest) return latest;
    const first = await this.#get(key);
    if (first === undefined) return undefined;
    const count = Number(first.metadata.annotations?.[partsAnnotation] ?? 1);
    const others = await Promise.all(
      Array.from({ length: count - 1 }, (_, index) =>
        this.#get(releaseKey(provider, id, index + 1)),
      ),
    );
    const parts = [first, ...others].map((part) => part?.data?.release);
    if (parts.some((part) => part === undefined)) return undefined;
    const release = await unpackRelease(parts.map((part) => Buffer.from(part ?? "", "base64")));
    // Users who may write Secrets in the namespace must not choose components.
    return releaseId(release) === id ? release : undefined;
  }

  async prune(provider: Provider, ids: readonly string[]): Promise<void> {
    const { namespace = "", uid = "" } = provider.metadata;
    const labelSelector = `${rememberedLabel}=release,${providerUidLabel}=${uid}`;
    const { items } = await metadataOnlyClient(this.#client.handler, secrets).list({
      namespace,
      labelSelector,
    });
    const kept = ids.map((id) => releaseKey(provider, id, 0).name.replace(/-0$/, ""));
    for (const { metadata } of items) {
      const name = metadata.name ?? "";
      if (kept.includes(name.replace(/-\d+$/, ""))) continue;
      await ignoreNotFound(this.#secrets.delete({ namespace, name }));
    }
  }

  async forget(provider: Provider): Promise<void> {
    await this.prune(provider, []);
    const key = stateKey(provider);
    const secret = await this.#get(key);
    if (secret === undefined) return;
    if (secret.metadata.finalizers?.includes(stateFinalizer)) {
      const patch = { metadata: { finalizers: null } };
      await ignoreNotFound(this.#secrets.patch(key, { type: "merge", patch }));
    }
    await ignoreNotFound(this.#secrets.delete(key));
  }

  #get(key: ObjectKey): Promise<SecretObject | undefined> {
    return getOptional(this.#secrets, key);
  }
}

/** The content of Secrets is not watched. */
const retrySeconds = 60;

function notTrusted({ metadata: { namespace, name } }: SecretObject): PhaseError {
  const message =
    `could not read what is remembered of the provider: Secret ${namespace}/${name} was written by somebody ` +
    "else than the operator; see who may write Secrets there, then delete it together with its finalizers " +
    `to install anew, or trust all that is remembered of any provider by deleting the Secret ${sealSecretName}`;
  return new PhaseError("PreflightCheckPassed", "RecordNotTrusted", {
    message,
    retryAfterSeconds: retrySeconds,
  });
}
