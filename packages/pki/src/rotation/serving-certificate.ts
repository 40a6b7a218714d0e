import type { CertificateAndKey } from "../keys.ts";
import { nextRotationStep, type RotationProgress, type RotationStep } from "./next-step.ts";
import { defaultRotationPolicy, type RotationPolicy, validatePolicy } from "./policy.ts";
import {
  rotationStateFromSecretData,
  rotationStateToSecretData,
  type SecretData,
} from "./secret-data.ts";
import { caBundle, emptyRotationState, type RotationState } from "./state.ts";
import {
  forgetAuthorities,
  introduceAuthority,
  promoteAuthority,
  renewLeaf,
} from "./transitions.ts";

/** Where a serving certificate is kept, trusted and used. Each call may fail and is then repeated. */
export interface ServingCertificatePorts {
  load(): Promise<SecretData | undefined>;
  /** Must refuse when the stored data is no longer what `load` returned. */
  save(data: SecretData): Promise<void>;
  /**
   * Resolves when the bundle stands where clients read it: a `caBundle`, a ConfigMap. Called at
   * least once in every reconcile; writes nothing where nothing differs.
   */
  publish(caBundle: string): Promise<void>;
  /** Puts a leaf into service. */
  serve(leaf: CertificateAndKey): Promise<void>;
}

export type ServingCertificateOptions = ServingCertificatePorts &
  Pick<RotationPolicy, "commonName"> &
  Partial<RotationPolicy> & { readonly now?: () => Date };

export interface ServingCertificate {
  /**
   * Does what is due, then returns when to be called next.
   *
   * Guarantees: clients that trust the bundle published last, or the one before it until
   * `settleSeconds` later, accept the leaf in service. A call that fails or is cut off leaves
   * nothing that the next call, of this or another process, does not carry on.
   * Assumptions: one caller at a time writes, for example the leader.
   * Errors: what a port throws; InvalidState where the stored data is damaged.
   */
  reconcile(): Promise<Date>;
}

/**
 * A serving certificate that makes itself, its authority and their successors.
 * Errors: InvalidName, InvalidLifetime.
 */
export function createServingCertificate(options: ServingCertificateOptions): ServingCertificate {
  const rotation = new Rotation(options);
  return { reconcile: () => rotation.reconcile() };
}

class Rotation {
  readonly #ports: ServingCertificatePorts;
  readonly #policy: RotationPolicy;
  readonly #now: () => Date;
  #progress: RotationProgress = {};
  #state: RotationState | undefined;

  constructor(options: ServingCertificateOptions) {
    this.#ports = options;
    this.#policy = { ...defaultRotationPolicy, ...options };
    validatePolicy(this.#policy);
    this.#now = options.now ?? (() => new Date());
  }

  async reconcile(): Promise<Date> {
    let state = await this.#load();
    for (let published = false; ; ) {
      const view = { policy: this.#policy, progress: this.#progress, now: this.#now() };
      const step = nextRotationStep(state, view);
      if (typeof step === "object") {
        // Once in every call, also when nothing is new: what others did to the bundle heals.
        if (!published) await this.#publish(state);
        return step.waitUntil;
      }
      published ||= step === "publish";
      state = await this.#perform(step, state);
    }
  }

  /** A Secret that was deleted under a running process comes back as it was, not as a new one. */
  async #load(): Promise<RotationState> {
    const data = await this.#ports.load();
    if (data) this.#state = rotationStateFromSecretData(data);
    else if (this.#state) await this.#ports.save(rotationStateToSecretData(this.#state));
    return this.#state ?? emptyRotationState;
  }

  async #perform(
    step: Exclude<RotationStep, object>,
    state: RotationState,
  ): Promise<RotationState> {
    switch (step) {
      case "introduceAuthority":
        return this.#save(await introduceAuthority(state, this.#policy, this.#now()));
      case "promoteAuthority":
        return this.#save(await promoteAuthority(state, this.#policy, this.#now()));
      case "renewLeaf":
        return this.#save(await renewLeaf(state, this.#policy, this.#now()));
      case "forgetAuthorities":
        return this.#save(forgetAuthorities(state, this.#now()));
      case "serve":
        return this.#serve(state);
      case "publish":
        return this.#publish(state);
    }
  }

  async #save(state: RotationState): Promise<RotationState> {
    await this.#ports.save(rotationStateToSecretData(state));
    this.#state = state;
    return state;
  }

  async #serve(state: RotationState): Promise<RotationState> {
    if (state.active) {
      const { leaf } = state.active;
      await this.#ports.serve(leaf);
      this.#progress = { ...this.#progress, servedCertificate: leaf.certificate };
    }
    return state;
  }

  async #publish(state: RotationState): Promise<RotationState> {
    const bundle = caBundle(state);
    await this.#ports.publish(bundle);
    const known = this.#progress.published?.bundle === bundle;
    if (!known) this.#progress = { ...this.#progress, published: { bundle, since: this.#now() } };
    return state;
  }
}
