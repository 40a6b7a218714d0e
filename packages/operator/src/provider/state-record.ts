import type { Provider } from "@rookery/api";
import { deepEqual } from "@rookery/kube";
import type { InstallState } from "../state/install-state.ts";
import type { Recorded, StateStore } from "../state/state-store.ts";

const nothing: InstallState = { owned: [], phase: "Stable" };

/** The state of one provider within one reconcile: read once, and written as it changes. */
export class StateRecord {
  readonly #store: Pick<StateStore, "save">;
  readonly #provider: Provider;
  #recorded: Recorded | undefined;

  static async load(
    store: Pick<StateStore, "load" | "save">,
    provider: Provider,
  ): Promise<StateRecord> {
    return new StateRecord(store, provider, await store.load(provider));
  }

  private constructor(
    store: Pick<StateStore, "save">,
    provider: Provider,
    recorded: Recorded | undefined,
  ) {
    this.#store = store;
    this.#provider = provider;
    this.#recorded = recorded;
  }

  get state(): InstallState {
    return this.#recorded?.state ?? nothing;
  }

  /** Writes only what is new. */
  async save(state: InstallState): Promise<void> {
    if (deepEqual(this.state, state)) return;
    this.#recorded = await this.#store.save(this.#provider, state, this.#recorded);
  }
}
