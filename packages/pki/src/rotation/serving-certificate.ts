import type { CertificateAndKey } from "../keys.ts";
import { nextRotationStep, type RotationProgress, type RotationStep } from "./next-step.ts";
import { defaultRotationPolicy, type RotationPolicy, validatePolicy } from "./policy.ts";
import {
  caBundle,
  emptyRotationState,
  type RotationState,
  rotationStateFromSecretData,
  rotationStateToSecretData,
  type SecretData,
} from "./state.ts";
import { transitions } from "./transitions.ts";

/** How a serving certificate is stored, published and served. A call that fails is repeated. */
export interface ServingCertificatePorts {
  load(): Promise<SecretData | undefined>;
  /** Must fail if the stored data is no longer what `load` returned. */
  save(data: SecretData): Promise<void>;
  /** Resolves when clients can read the bundle. Must not write an unchanged bundle. */
  publish(caBundle: string): Promise<void>;
  serve(leaf: CertificateAndKey): Promise<void>;
}

export type ServingCertificateOptions = ServingCertificatePorts &
  Pick<RotationPolicy, "commonName"> &
  Partial<RotationPolicy> & { readonly now?: () => Date };

/** A serving certificate that renews itself. Errors: InvalidName, InvalidLifetime. */
export function createServingCertificate(options: ServingCertificateOptions): ServingCertificate {
  return new ServingCertificate(options);
}

export class ServingCertificate {
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

  /**
   * Takes all steps that are due; returns the time of the next call.
   *
   * Guarantees: clients that trust the last published bundle, or the one before it until
   * `settleSeconds` later, accept the served leaf. If a call fails or is interrupted, the next call,
   * of this or another process, continues.
   * Assumptions: one caller at a time writes, for example the leader.
   * Errors: those of the ports; InvalidState where the stored data is damaged.
   */
  async reconcile(): Promise<Date> {
    let state = await this.#load();
    for (let published = false; ; ) {
      const view = { policy: this.#policy, progress: this.#progress, now: this.#now() };
      const step = nextRotationStep(state, view);
      if (typeof step === "object") {
        // Also if nothing is new: this repairs a bundle that others have changed.
        if (!published) await this.#publish(state);
        return step.waitUntil;
      }
      published ||= step === "publish";
      state = await this.#perform(step, state);
    }
  }

  /** A Secret that was deleted while the process runs is restored, not replaced. */
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
    if (step === "serve") return this.#serve(state);
    if (step === "publish") return this.#publish(state);
    return this.#save(await transitions[step](state, this.#policy, this.#now()));
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
