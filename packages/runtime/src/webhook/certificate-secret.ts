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

/** The requests for Secrets; a ResourceClient of secrets has them. Rejects with StatusErrors. */
export interface SecretClient {
  get(key: ObjectKey, options: Options): Promise<Secret>;
  create(secret: Secret, options: Options): Promise<Secret>;
  /** Rejects with a Conflict if the resourceVersion is not the newest. */
  update(secret: Secret, options: Options): Promise<Secret>;
}

/**
 * Keeps data in a Secret that several processes share. A save fails with Conflict or AlreadyExists if another process
 * saved data since the last load.
 */
export class CertificateSecret {
  readonly #secrets: SecretClient;
  readonly #key: Required<ObjectKey>;
  readonly #metadata: Pick<ObjectMeta, "labels" | "ownerReferences">;
  #loaded: Secret | undefined;

  /** `metadata` is for a new Secret; `label` adds its labels to an existing one. */
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

  /** Adds the labels to the loaded Secret, if they are missing. */
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

  /** Opaque: at first the Secret contains an authority only, which the type kubernetes.io/tls does not allow. */
  #newSecret(data: SecretData): Secret {
    const metadata = { ...this.#metadata, ...this.#key };
    return { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data };
  }
}
