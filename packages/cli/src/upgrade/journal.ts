import {
  type Client,
  getOptional,
  ignoreAlreadyExists,
  ignoreNotFound,
  type ResourceClient,
} from "@rookery/client";
import type { ConfigMap, FetchConfiguration } from "@rookery/components";
import { builtInResources } from "@rookery/kube";
import type { CommandIo } from "../command.ts";
import { ProvidersError } from "../errors.ts";
import { fieldManager } from "../objects.ts";
import type { ProviderKey } from "../providers/declared-providers.ts";

export interface JournalItem {
  readonly key: ProviderKey;
  readonly from: string;
  readonly to: string;
  /** Set if it changes for the new version. */
  readonly fetchConfig?: FetchConfiguration;
  readonly secretName?: string;
}

/** "Pausing" and "Unpausing" are only for changes of the contract. */
type UpgradePhase = "Pausing" | "Changing" | "Unpausing";

/** The state of an upgrade, from which another process can resume it. */
export interface UpgradeJournal {
  /** The flags of the request: "--contract v1beta2". */
  readonly request: string;
  readonly startedAt: string;
  readonly contract: string;
  readonly items: readonly JournalItem[];
  /** The providers that the upgrade pauses, without those that were paused before. */
  readonly pausing: readonly ProviderKey[];
  readonly phase: UpgradePhase;
}

const name = "rookery-upgrade";

/** Stores the journal of the current upgrade in the operator's namespace. */
export class JournalStore {
  readonly #namespace: string;
  readonly #configMaps: ResourceClient<ConfigMap>;

  constructor(client: Client, namespace: string) {
    this.#namespace = namespace;
    this.#configMaps = client.resource<ConfigMap>(builtInResources.configMaps);
  }

  async read(): Promise<UpgradeJournal | undefined> {
    const found = await getOptional(this.#configMaps, { namespace: this.#namespace, name });
    const journal = found?.data?.journal;
    return journal === undefined ? undefined : JSON.parse(journal);
  }

  /** Throws ProvidersError if another upgrade was started at the same time. */
  async create(journal: UpgradeJournal): Promise<void> {
    const configMap = this.#configMap(journal);
    const created = await ignoreAlreadyExists(this.#configMaps.create(configMap, { fieldManager }));
    if (!created) {
      throw new ProvidersError("upgrade", ["another upgrade was started at the same time"]);
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

/** The dependencies of the phases of an upgrade. */
export interface UpgradeTools {
  readonly client: Client;
  readonly io: CommandIo;
  readonly journals: JournalStore;
  readonly timeoutSeconds: number;
}
