import type { Provider } from "@rookery/api";
import { getOptional } from "@rookery/client";
import type {
  ConfiguredProvider,
  DownloaderOptions,
  ImageOverrides,
  VariableLookup,
} from "@rookery/components";
import type { KubeObject } from "@rookery/kube";
import {
  type Controller,
  type ControllerParts,
  controllerFor,
  createEventSource,
  createInformer,
  done,
  type EventRecorder,
  enqueueRequestForObject,
  type ReconcileContext,
  type Result,
  requeueAfter,
  type Source,
} from "@rookery/runtime";
import { clusterctlProviders, providerResource, providerResources } from "../resources.ts";
import { intentOf } from "../state/release-id.ts";
import type { StateSeal } from "../state/state-seal.ts";
import { findContract } from "./find-contract.ts";
import { findInstalled } from "./installed-components.ts";
import { type MigrationDependencies, migrate } from "./migrate.ts";
import type { ClusterctlRecord } from "./plan.ts";
import { claimState, prepareState } from "./prepared-state.ts";
import { recoverSettings, type SettingsSources } from "./recover-settings.ts";
import { MigrationReport } from "./report.ts";

export interface MigrationOptions extends ControllerParts {
  readonly recorder: EventRecorder;
  readonly downloader: DownloaderOptions;
  readonly variables: VariableLookup;
  readonly seal: StateSeal;
  readonly imageOverrides: ImageOverrides;
  readonly providers: readonly ConfiguredProvider[];
}

/** Reasons that may pass without a change of the record. */
const retried: ReadonlySet<string> = new Set(["ContractUnknown", "NothingInstalled"]);
const retriedSeconds = 300;

/** Watches the records of clusterctl, and creates objects for providers that have none. */
export function createMigrationController(options: MigrationOptions): Controller {
  const parts = { ...options, logger: options.logger.withName("migration") };
  const source = createRecordSource(options);
  return controllerFor<ClusterctlRecord>(clusterctlProviders, parts, {
    name: "migration",
    source,
  }).reconcile((_, context) => reconcileRecord(context, parts));
}

async function reconcileRecord(
  { request, signal, client }: ReconcileContext<ClusterctlRecord>,
  parts: MigrationOptions,
): Promise<Result> {
  const within = { ...parts, client };
  // From the server, with its managed fields.
  const record = await getOptional(client.resource<ClusterctlRecord>(clusterctlProviders), request);
  if (!record) return done;
  const report = new MigrationReport(within);
  try {
    const outcome = await migrate(record, migrationDependencies(within), signal);
    await report.outcome(record, outcome);
    const isRetried = outcome.action === "Left" && retried.has(outcome.reason);
    return isRetried ? requeueAfter(retriedSeconds) : done;
  } catch (error) {
    if (!signal.aborted) await report.failure(record, error);
    throw error;
  }
}

/** Events of clusterctl's records. The controller starts without waiting for their kind to be served. */
function createRecordSource({ client, logger }: MigrationOptions): Source {
  return createEventSource<ClusterctlRecord>({
    name: "records of clusterctl",
    handler: enqueueRequestForObject(),
    subscribe(deliver, signal) {
      const resource = clusterctlProviders;
      const listWatch = client.resource<ClusterctlRecord>(resource);
      const informer = createInformer<ClusterctlRecord>({ resource, listWatch, logger });
      informer.addEventHandler(deliver);
      void informer.run(signal);
    },
  });
}

/** Reads from the server, because a migration happens once. */
export function migrationDependencies(
  options: SettingsSources & Pick<MigrationOptions, "seal">,
): MigrationDependencies {
  const { client, seal } = options;
  const records = client.resource<ClusterctlRecord>(clusterctlProviders);
  return {
    listRecords: async (signal) => (await records.listAll({ signal })).items,
    listProviders: async (signal) => {
      const lists = providerResources.map((resource) =>
        client.resource<KubeObject>(resource).listAll({ signal }),
      );
      return (await Promise.all(lists)).flatMap(({ items }) => items as Provider[]);
    },
    findInstalled: (owner, signal) => findInstalled(client, owner, signal),
    contractOf: (adoption, signal) => findContract(adoption, options, signal),
    recoverSettings: (adoption, signal) => recoverSettings(adoption, options, signal),
    prepareState: (manifest, state) => prepareState({ client, seal }, manifest, state),
    createProvider: async (manifest, signal) => {
      const resource = client.resource<KubeObject>(providerResource(manifest.kind));
      return (await resource.create(manifest, { signal })) as Provider;
    },
    claimState: (provider) => claimState({ client, seal }, provider),
    intentOf: (manifest) => intentOf(manifest as Provider),
  };
}
