import {
  type DelegatedGroup,
  type Delegation,
  type FieldManager,
  type ServedGroup,
  systemTimers,
  type Timers,
} from "@rookery/apiserver";
import type { Handler } from "@rookery/http";
import type { StoreSubscription } from "@rookery/kube";
import { type Clock, type DeepMutable, deepCopy, deepEqual, type RequestInfo } from "@rookery/kube";
import type { CertificateAndKey } from "@rookery/pki";
import { compareVersions } from "../crds/kube-aware-version.ts";
import { SystemWriter } from "../registry/system-writer.ts";
import type { Store } from "../store/store.ts";
import {
  type ApiService,
  apiServiceNameOf,
  apiServiceResource,
  conditionAfter,
  isAvailable,
  type Remote,
  serviceOf,
  staleVersion,
} from "./api-service.ts";
import { checkAvailability } from "./check-availability.ts";
import { automanagedLabel, builtInServices, customServices } from "./local-services.ts";
import { proxyHandler } from "./proxy-handler.ts";
import { RemoteClients } from "./remote-clients.ts";
import { remoteOpenApi, remoteVersion } from "./remote-discovery.ts";

export interface AggregatorOptions {
  readonly store: Store;
  readonly now: Clock;
  readonly timers?: Timers;
  /** The built-in groups, and the current groups of CustomResourceDefinitions. */
  readonly builtIn: readonly ServedGroup[];
  readonly custom: () => readonly ServedGroup[];
  /** The front-proxy client certificate, which remote servers trust to name users. */
  readonly certificate: () => CertificateAndKey;
  /** Tracks the fields of APIServices. */
  readonly fieldManager?: FieldManager;
  readonly onError: (error: unknown) => void;
}

/** Serves APIServices: from this server, or through a proxy to the server behind their Service. */
export interface Aggregator extends Delegation, AsyncDisposable {
  /** Calls back when remote servers appear, disappear or serve other resources. */
  onChange(listener: () => void): void;
  /** Registers APIServices for the current custom kinds. */
  syncCustom(): void;
  /** Resolves when every APIService has been checked. */
  settled(): Promise<void>;
}

export function createAggregator(options: AggregatorOptions): Aggregator {
  return new StoredApiServices(options);
}

const recheckMs = 30_000;
const firstRetryMs = 250;
/** Resources whose changes may affect the availability of a remote server. */
const watched = [
  apiServiceResource,
  "services",
  "endpoints",
  "endpointslices.discovery.k8s.io",
] as const;

class StoredApiServices implements Aggregator {
  readonly #options: AggregatorOptions;
  readonly #timers: Timers;
  readonly #writer: SystemWriter<ApiService>;
  readonly #clients: RemoteClients;
  readonly #remotes = new Map<string, Remote>();
  readonly #listeners: (() => void)[] = [];
  readonly #subscriptions: readonly StoreSubscription[];
  #work: Promise<void> = Promise.resolve();
  #isQueued = false;
  #isSyncQueued = false;
  #isStopped = false;
  #retryMs = firstRetryMs;
  #timer: { stop(): void } | undefined;

  constructor(options: AggregatorOptions) {
    this.#options = options;
    const { store, now, fieldManager, timers = systemTimers } = options;
    this.#timers = timers;
    this.#writer = new SystemWriter({ store, now, resource: apiServiceResource, fieldManager });
    this.#clients = new RemoteClients(options.certificate);
    this.#enqueue(() => this.#registerBuiltIn());
    this.#subscriptions = watched.map((resource) =>
      store.watch(resource, store.revision, ({ entry }) => {
        const isApiService = resource === apiServiceResource;
        const isLocal = entry && isApiService && !serviceOf(entry.object as ApiService);
        if (!isLocal && this.#hasRemotes()) this.#recheck();
        // Recreates or repairs automanaged APIServices.
        if (isApiService) this.syncCustom();
      }),
    );
    this.syncCustom();
    this.#recheck();
  }

  handlerOf(info: RequestInfo): Handler | undefined {
    if (this.#remotes.size === 0) return undefined;
    return this.#remotes.get(apiServiceNameOf(info))?.handler;
  }

  groups(): readonly DelegatedGroup[] {
    const remotes = [...this.#remotes.values()];
    const byGroup = Map.groupBy(remotes, ({ apiService }) => apiService.spec?.group ?? "");
    return [...byGroup].map(([name, members]) => ({
      name,
      versions: members
        .map(({ version }) => version)
        .toSorted((a, b) => compareVersions(a.name, b.name)),
    }));
  }

  openApiPaths(): Readonly<Record<string, object>> {
    const entries = [...this.#remotes.values()].flatMap(({ apiService, openApi }) => {
      const { group = "", version = "" } = apiService.spec ?? {};
      return openApi ? [[`apis/${group}/${version}`, openApi] as const] : [];
    });
    return Object.fromEntries(entries);
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  syncCustom(): void {
    if (this.#isSyncQueued || this.#isStopped) return;
    this.#isSyncQueued = true;
    this.#enqueue(async () => {
      this.#isSyncQueued = false;
      await this.#registerCustom();
    });
  }

  async settled(): Promise<void> {
    let work: Promise<void> | undefined;
    while (work !== this.#work) {
      work = this.#work;
      await work;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    this.#timer?.stop();
    for (const subscription of this.#subscriptions) subscription.close();
    await this.#clients[Symbol.asyncDispose]();
    await this.#work;
  }

  /** Runs tasks one after another. */
  #enqueue(task: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (!this.#isStopped) await task().catch(this.#options.onError);
    });
  }

  #recheck(): void {
    if (this.#isQueued || this.#isStopped) return;
    this.#isQueued = true;
    this.#enqueue(async () => {
      this.#isQueued = false;
      await this.#checkAll();
    });
  }

  async #registerBuiltIn(): Promise<void> {
    const { builtIn, now } = this.#options;
    for (const wanted of builtInServices(builtIn, now())) {
      if (!this.#writer.find(wanted.metadata.name ?? "")) await this.#writer.create(wanted);
    }
  }

  /** Automanaged APIServices follow the custom kinds; others of the same name are left alone. */
  async #registerCustom(): Promise<void> {
    const { custom, now } = this.#options;
    const wanted = customServices(custom(), now());
    const names = new Set(wanted.map(({ metadata }) => metadata.name ?? ""));
    for (const service of wanted) {
      const { name = "" } = service.metadata;
      const found = this.#writer.find(name);
      if (!found) await this.#writer.create(service);
      else if (isAutomanaged(found) && !deepEqual(found.spec, service.spec)) {
        await this.#writer.update(name, withSpec(service), "");
      }
    }
    for (const found of this.#writer.all()) {
      const { name = "" } = found.metadata;
      if (isAutomanaged(found) && !names.has(name)) await this.#writer.delete(name);
    }
  }

  #remoteServices(): readonly ApiService[] {
    return this.#writer.all().filter((each) => serviceOf(each) !== undefined);
  }

  #hasRemotes(): boolean {
    return this.#remotes.size > 0 || this.#remoteServices().length > 0;
  }

  async #checkAll(): Promise<void> {
    const before = this.#state();
    const services = this.#remoteServices();
    const names = new Set(services.map(({ metadata }) => metadata.name ?? ""));
    for (const name of this.#remotes.keys()) if (!names.has(name)) this.#remotes.delete(name);
    await Promise.all(services.map((service) => this.#check(service)));
    if (this.#state() !== before) for (const listener of this.#listeners) listener();
    this.#schedule(services.length > 0);
  }

  #state(): string {
    return JSON.stringify([this.groups(), this.openApiPaths()]);
  }

  async #check(apiService: ApiService): Promise<void> {
    const { store, now } = this.#options;
    const context = { store, clients: this.#clients };
    const name = apiService.metadata.name ?? "";
    const availability = await checkAvailability(apiService, context);
    const known = this.#remotes.get(name);
    const stale = staleVersion(known, apiService);
    const isReachable = availability.status === "True";
    // Fetched before the status is written: clients that read "Available" expect discovery to be
    // complete.
    const [version, openApi] = isReachable
      ? await Promise.all([
          remoteVersion(apiService, context).catch(() => stale),
          remoteOpenApi(apiService, context).catch(() => undefined),
        ])
      : [stale, known?.openApi];
    const written = await this.#writer.update(name, (copy) => {
      copy.status = { conditions: [conditionAfter(copy as ApiService, availability, now())] };
    });
    if (!written) return void this.#remotes.delete(name);
    this.#remotes.set(name, {
      apiService: written,
      handler: proxyHandler(written, context),
      version,
      openApi,
    });
  }

  /** Retries with back-off while a server is unavailable, else rechecks periodically. */
  #schedule(hasRemotes: boolean): void {
    this.#timer?.stop();
    if (!hasRemotes || this.#isStopped) return;
    const allThere = [...this.#remotes.values()].every(({ apiService }) => isAvailable(apiService));
    const delay = allThere ? recheckMs : this.#retryMs;
    this.#retryMs = allThere ? firstRetryMs : Math.min(this.#retryMs * 2, recheckMs);
    this.#timer = this.#timers.setTimer(() => this.#recheck(), delay);
  }
}

/** Whether it is managed for a custom kind, and no user has taken it over. */
function isAutomanaged({ metadata }: ApiService): boolean {
  return metadata.labels?.[automanagedLabel] === "true";
}

function withSpec({ spec }: ApiService): (found: DeepMutable<ApiService>) => void {
  return (found) => void Object.assign(found, { spec: deepCopy(spec) });
}
