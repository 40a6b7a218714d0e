import {
  type Client,
  getOptional,
  ignoreAlreadyExists,
  ignoreNotFound,
  type ResourceClient,
} from "@rookery/client";
import type { ConfigMap, FetchConfiguration } from "@rookery/components";
import { builtInResources } from "@rookery/kube";
import { ProvidersError } from "../errors.ts";
import { fieldManager } from "../objects.ts";
import type { ProviderKey } from "../providers/declared-providers.ts";

/** One provider that an upgrade changes. */
export interface JournalItem {
  readonly key: ProviderKey;
  readonly from: string;
  readonly to: string;
  /** Set where it has to be another one for the new version. */
  readonly fetchConfig?: FetchConfiguration;
  readonly secretName?: string;
}

/** How far an upgrade has come: "Pausing" and "Unpausing" are only for changes of the contract. */
type UpgradePhase = "Pausing" | "Changing" | "Unpausing";

/** All that has to be known to go on with an upgrade after whoever began it was killed. */
export interface UpgradeJournal {
  /** What was asked for: "--contract v1beta2". */
  readonly request: string;
  readonly startedAt: string;
  readonly contract: string;
  readonly items: readonly JournalItem[];
  /** Those that it pauses, and has to let go on again; others were paused before. */
  readonly pausing: readonly ProviderKey[];
  readonly phase: UpgradePhase;
}

const name = "rookery-upgrade";

/** Keeps the journal of the one upgrade that may be under way, in the operator's namespace. */
export class JournalStore {
  readonly #namespace: string;
  readonly #configMaps: ResourceClient<ConfigMap>;

  constructor(client: Client, namespace: string) {
    this.#namespace = namespace;
    this.#configMaps = client.resource<ConfigMap>(builtInResources.configMaps);
  }

  /** Undefined where no upgrade is under way. */
  async read(): Promise<UpgradeJournal | undefined> {
    const found = await getOptional(this.#configMaps, { namespace: this.#namespace, name });
    const journal = found?.data?.journal;
    return journal === undefined ? undefined : JSON.parse(journal);
  }

  /** Begins an upgrade. Errors: ProvidersError where another one was begun a moment ago. */
  async begin(journal: UpgradeJournal): Promise<void> {
    const configMap = this.#configMap(journal);
    const created = await ignoreAlreadyExists(this.#configMaps.create(configMap, { fieldManager }));
    if (!created) {
      throw new ProvidersError("upgrade", ["another upgrade was begun at the same time"]);
    }
  }

  async save(journal: UpgradeJournal): Promise<void> {
    await this.#configMaps.apply(this.#configMap(journal), { fieldManager, force: true });
  }

  async end(): Promise<void> {
    await ignoreNotFound(this.#configMaps.delete({ namespace: this.#namespace, name }));
  }

  #configMap(journal: UpgradeJournal): ConfigMap {
    const metadata = { name, namespace: this.#namespace };
    return {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      data: { journal: JSON.stringify(journal) },
    };
  }
}
