import { type Client, createClient, foreignLimits } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { discardBody } from "@rookery/http";
import type { CertificateAndKey } from "@rookery/pki";
import { type MonotonicClock, systemClock, type Timer } from "@rookery/runtime";

export interface TenantPlace {
  readonly server: string;
  readonly certificateAuthority: string;
}

interface TenantTarget extends TenantPlace {
  readonly credentials: CertificateAndKey;
}

export interface TenantState {
  readonly isReady: boolean;
  readonly version?: string;
  readonly why: string;
}

export interface TenantsOptions {
  /** Called with the key of a tenant at each change of its state. */
  readonly onChange: (key: string) => void;
  readonly connect?: (target: TenantTarget) => Client;
  readonly clock?: MonotonicClock;
}

const shortestDelay = 100;
const longestDelay = 5000;
const steadyDelay = 30_000;
/** The number of failed probes that an API server may have under load or in a roll-out. */
const failuresAllowed = 2;
const requestTimeout = 5000;
/** After this time `hurry` sends a new request instead of waiting. */
const hurryAfterMs = 300;
const credentialsLifetimeMs = 24 * 60 * 60 * 1000;
export const credentialsRenewalMs = credentialsLifetimeMs / 2;

/**
 * Probes the API servers of tenants: often while they start, then less often, and twice a minute once they are
 * ready. Reconciles read the last result and never wait for a tenant.
 */
export class Tenants implements AsyncDisposable {
  readonly #options: TenantsOptions;
  readonly #tenants = new Map<string, Tenant>();
  #isDisposed = false;

  constructor(options: TenantsOptions) {
    this.#options = options;
  }

  /**
   * Starts or continues to probe a tenant. New credentials are issued if the old ones do not fit.
   */
  async watch(
    key: string,
    place: TenantPlace,
    issue: (lifetimeSeconds: number) => Promise<CertificateAndKey>,
  ): Promise<void> {
    const known = this.#tenants.get(key);
    if (known?.isFor(place)) return;
    const credentials = await issue(credentialsLifetimeMs / 1000);
    await known?.stop();
    // A reconcile may end after the manager.
    if (this.#isDisposed) return;
    const onChange = () => this.#options.onChange(key);
    const state = known?.isAt(place) ? known.state : undefined;
    this.#tenants.set(key, new Tenant({ ...place, credentials, state }, onChange, this.#options));
  }

  /** Undefined until the first answer, or enough failures. */
  state(key: string): TenantState | undefined {
    return this.#tenants.get(key)?.state;
  }

  /** The client of a tenant that is watched. */
  client(key: string): Client | undefined {
    return this.#tenants.get(key)?.client;
  }

  /** Probes soon, because of an event of the tenant. */
  hurry(key: string): void {
    this.#tenants.get(key)?.hurry();
  }

  forget(key: string): void {
    void this.#tenants.get(key)?.stop();
    this.#tenants.delete(key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await Promise.all(Array.from(this.#tenants.values(), (tenant) => tenant.stop()));
    this.#tenants.clear();
  }
}

class Tenant {
  client: Client;
  state: TenantState | undefined;
  readonly #connect: () => Client;
  readonly #place: TenantPlace;
  readonly #startedAt: number;
  readonly #onChange: () => void;
  readonly #clock: MonotonicClock;
  readonly #stopped = new AbortController();
  #since: number;
  #failures = 0;
  #timer: Timer | undefined;
  /** The pending request. */
  #pending: { readonly at: number; readonly abort: AbortController } | undefined;

  constructor(
    target: TenantTarget & { readonly state: TenantState | undefined },
    onChange: () => void,
    options: TenantsOptions,
  ) {
    this.#place = target;
    this.state = target.state;
    this.#onChange = onChange;
    this.#clock = options.clock ?? systemClock;
    this.#connect = () => (options.connect ?? connect)(target);
    this.client = this.#connect();
    this.#startedAt = this.#clock.now();
    this.#since = this.#startedAt;
    this.#schedule(0);
  }

  isAt({ server, certificateAuthority }: TenantPlace): boolean {
    const place = this.#place;
    return place.server === server && place.certificateAuthority === certificateAuthority;
  }

  isFor(place: TenantPlace): boolean {
    return this.isAt(place) && this.#clock.now() - this.#startedAt < credentialsRenewalMs;
  }

  /** An early request may hang in TCP retries; a new connection succeeds at once. */
  hurry(): void {
    const now = this.#clock.now();
    if (this.state?.isReady || (this.#pending && now - this.#pending.at < hurryAfterMs)) return;
    if (this.#pending) {
      this.#pending.abort.abort();
      void this.client.destroy();
      this.client = this.#connect();
    }
    this.#since = now;
    this.#schedule(0);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#timer?.stop();
    await this.client.destroy();
  }

  #schedule(delay: number): void {
    this.#timer?.stop();
    if (this.#stopped.signal.aborted) return;
    this.#timer = this.#clock.setTimer(() => void this.#probe(), delay);
  }

  async #probe(): Promise<void> {
    const pending = { at: this.#clock.now(), abort: new AbortController() };
    this.#pending = pending;
    const abandoned = AbortSignal.any([this.#stopped.signal, pending.abort.signal]);
    const result = await probeTenant(this.client, abandoned);
    if (abandoned.aborted) return;
    this.#pending = undefined;
    this.#record(result);
    this.#schedule(this.#nextDelay());
  }

  #record(result: TenantState): void {
    this.#failures = result.isReady ? 0 : this.#failures + 1;
    const before = this.state;
    const wasDown = before?.isReady === false;
    if (!wasDown && !result.isReady && this.#failures <= failuresAllowed) return;
    if (before?.isReady && !result.isReady) this.#since = this.#clock.now();
    this.state = result;
    if (before?.isReady !== result.isReady || before.version !== result.version) this.#onChange();
  }

  #nextDelay(): number {
    if (this.state?.isReady) return this.#failures > 0 ? 1000 : steadyDelay;
    const elapsed = this.#clock.now() - this.#since;
    return Math.min(longestDelay, Math.max(shortestDelay, elapsed / 20));
  }
}

async function probeTenant(client: Client, stopped: AbortSignal): Promise<TenantState> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(requestTimeout)]);
  try {
    const { status, body } = await client.raw({ path: "/readyz", signal });
    await discardBody(body);
    if (status !== 200) return { isReady: false, why: `/readyz answers ${status}` };
    const { gitVersion } = await client.version({ signal });
    return { isReady: true, version: gitVersion, why: "" };
  } catch (error) {
    return { isReady: false, why: messageOf(error) };
  }
}

function connect({ server, certificateAuthority, credentials }: TenantTarget): Client {
  const config = {
    server,
    certificateAuthority: { pem: certificateAuthority },
    namespace: "default",
    user: {
      certificate: { cert: { pem: credentials.certificate }, key: { pem: credentials.key } },
    },
  };
  // No retries, because the next probe follows soon.
  return createClient(config, {
    userAgent: "rookery-nested",
    retries: 0,
    timeoutMs: requestTimeout,
    limits: foreignLimits,
  });
}
