import { type MonotonicClock, pause, type Runnable } from "@rookery/runtime";
import type { UserInfo } from "../authenticators/authenticator.ts";
import type { SystemNames } from "../authenticators/system-names.ts";
import type { IssuedCredential, SigningStrategy, StrategyReport } from "./strategy.ts";

export interface CredentialSourceOptions {
  readonly strategy: SigningStrategy;
  /** The reports of unused strategies. */
  readonly others: readonly StrategyReport[];
  readonly names: SystemNames;
  readonly clock: MonotonicClock;
}

const retryMs = 30_000;

/** Issues credentials by the strategy in use, which it checks periodically, on every replica. */
export class CredentialSource implements Runnable {
  readonly name = "credential source";
  readonly group = "others";
  readonly #options: CredentialSourceOptions;
  readonly #listeners = new Set<() => void>();
  #reports: readonly StrategyReport[] | undefined;

  constructor(options: CredentialSourceOptions) {
    this.#options = options;
  }

  /** Undefined until the end of the first check. */
  get reports(): readonly StrategyReport[] | undefined {
    return this.#reports;
  }

  /** Errors: SigningError. */
  async sign(user: UserInfo, signal: AbortSignal): Promise<IssuedCredential> {
    this.#options.names.assert(user);
    return this.#options.strategy.sign(user, signal);
  }

  /** The listener is called after each check, until the signal is aborted. */
  subscribe(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  async start(signal: AbortSignal): Promise<void> {
    const { strategy, clock } = this.#options;
    while (!signal.aborted) {
      const report = await this.#check(signal);
      if (report === undefined) return;
      const milliseconds = report.status === "Success" ? strategy.recheckMs : retryMs;
      await pause(milliseconds, clock, signal);
    }
  }

  /** Undefined if the signal is aborted. */
  async #check(signal: AbortSignal): Promise<StrategyReport | undefined> {
    const { strategy, others } = this.#options;
    try {
      const report = await strategy.check(signal);
      this.#reports = [report, ...others];
      for (const listener of this.#listeners) listener();
      return report;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }
}
