import { getOptional } from "@rookery/client";
import { deepEqual, type KubeObject, type ObjectKey, type ObjectMeta } from "@rookery/kube";
import type { SecretData } from "@rookery/pki";

/** A v1 Secret. */
export interface Secret extends Omit<KubeObject, "spec" | "status"> {
  readonly type?: string;
  readonly data?: SecretData;
}

interface Options {
  readonly signal: AbortSignal;
}

/** What is needed of the API; a ResourceClient of secrets fits. Rejects with StatusErrors. */
export interface SecretClient {
  get(key: ObjectKey, options: Options): Promise<Secret>;
  create(secret: Secret, options: Options): Promise<Secret>;
  /** Must refuse with a Conflict where the resourceVersion is not the newest. */
  update(secret: Secret, options: Options): Promise<Secret>;
}

/**
 * Keeps data in a Secret that several processes share. A save fails with Conflict or AlreadyExists
 * where another process was faster since the last load.
 */
export class CertificateSecret {
  readonly #secrets: SecretClient;
  readonly #key: Required<ObjectKey>;
  readonly #metadata: Pick<ObjectMeta, "labels" | "ownerReferences">;
  #loaded: Secret | undefined;

  /** `metadata` is for one that has to be made; `label` puts its labels on one that is there. */
  constructor(
    secrets: SecretClient,
    key: Required<ObjectKey>,
    metadata: Pick<ObjectMeta, "labels" | "ownerReferences"> = {},
  ) {
    this.#secrets = secrets;
    this.#key = key;
    this.#metadata = metadata;
  }

  async load(signal: AbortSignal): Promise<SecretData | undefined> {
    this.#loaded = await getOptional(this.#secrets, this.#key, { signal });
    const data = this.#loaded?.data ?? {};
    return Object.keys(data).length === 0 ? undefined : data;
  }

  /** Labels what was loaded, where it has none of the labels yet. */
  async label(signal: AbortSignal): Promise<void> {
    if (!this.#loaded) return;
    const { metadata } = this.#loaded;
    const labels = { ...metadata.labels, ...this.#metadata.labels };
    if (deepEqual(metadata.labels ?? {}, labels)) return;
    const labelled = { ...this.#loaded, metadata: { ...metadata, labels } };
    this.#loaded = await this.#secrets.update(labelled, { signal });
  }

  async save(data: SecretData, signal: AbortSignal): Promise<void> {
    this.#loaded = this.#loaded
      ? await this.#secrets.update({ ...this.#loaded, data }, { signal })
      : await this.#secrets.create(this.#newSecret(data), { signal });
  }

  /** Opaque: at first it holds an authority only, which the type kubernetes.io/tls refuses. */
  #newSecret(data: SecretData): Secret {
    const metadata = { ...this.#metadata, ...this.#key };
    return { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data };
  }
}
