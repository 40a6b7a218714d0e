import { Counter, Gauge, type Metrics } from "@rookery/runtime";
import type { ExchangeResult } from "./aggregated-api/token-credential-request.ts";
import type { AuthenticatorRegistry } from "./authenticators/registry.ts";
import type { StrategyReport } from "./signing/strategy.ts";

/** The metrics of a concierge, besides those of its controllers. */
export interface ConciergeMetrics {
  /** Counts the result of a TokenCredentialRequest. */
  exchanged(trade: ExchangeResult): void;
  /** Exports the number of examined authenticators of a kind. */
  authenticators(kind: string, registry: Pick<AuthenticatorRegistry, "count">): void;
  /** Exports which strategies sign certificates. */
  strategies(reports: () => readonly StrategyReport[] | undefined): void;
}

export function createConciergeMetrics({ registry }: Pick<Metrics, "registry">): ConciergeMetrics {
  const registers = [registry];
  const exchanges = new Counter({
    name: "rookery_concierge_token_credential_requests_total",
    help: "Tokens that were to be exchanged for certificates, by kind of authenticator and result",
    labelNames: ["authenticator", "result"],
    registers,
  });
  const registries = new Map<string, Pick<AuthenticatorRegistry, "count">>();
  new Gauge({
    name: "rookery_concierge_authenticators",
    help: "Authenticators that this replica has examined, by kind and whether they can be used",
    labelNames: ["kind", "ready"],
    registers,
    collect() {
      for (const [kind, known] of registries) {
        for (const ready of [true, false]) {
          this.set({ kind, ready: String(ready) }, known.count(ready));
        }
      }
    },
  });
  let reportsOf: () => readonly StrategyReport[] | undefined = () => undefined;
  new Gauge({
    name: "rookery_concierge_signing_strategy",
    help: "Whether a strategy can sign certificates: 1 where it can; its last reason",
    labelNames: ["type", "reason"],
    registers,
    collect() {
      // Removes former reasons.
      this.reset();
      for (const { type, status, reason } of reportsOf() ?? []) {
        this.set({ type, reason }, status === "Success" ? 1 : 0);
      }
    },
  });
  return {
    exchanged: ({ kind, result }) => exchanges.inc({ authenticator: kind, result }),
    authenticators: (kind, known) => registries.set(kind, known),
    strategies(reports) {
      reportsOf = reports;
    },
  };
}
