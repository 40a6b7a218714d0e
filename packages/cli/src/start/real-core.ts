import type { Client } from "@rookery/client";
import { FetchError, latestVersion } from "@rookery/components";
import type { KubeObject } from "@rookery/kube";
import type { CommandIo } from "../command.ts";
import type { CommandConfig } from "../config/read-config.ts";
import { StartError } from "../errors.ts";
import { initObjects } from "../init/init-objects.ts";
import { planInit } from "../init/plan-init.ts";
import { ReleaseSources } from "../releases/release-source.ts";
import { milestone, type Part } from "./part.ts";

export interface RealCoreOptions {
  readonly client: Client;
  readonly io: CommandIo;
  /** Says where releases come from, and values of variables. */
  readonly config: CommandConfig;
}

const identity = { kind: "CoreProvider", name: "cluster-api" } as const;
/** What Rookery's providers abide by. */
const contract = "v1beta2";

/** Cluster API's own core, as `rookery init` declares it. Errors: StartError where there is no release to be had. */
export async function realCore({ client, io, config }: RealCoreOptions): Promise<Part> {
  await using sources = new ReleaseSources(config, io, client);
  try {
    const version = await latestVersion(sources.open(identity).repository, { contract });
    const planned = await planInit([{ ...identity, version }], { sources, config });
    const objects = planned.flatMap((one) => {
      const { supplies, provider } = initObjects(one, { config });
      return [...supplies, provider as KubeObject];
    });
    const ready = objects
      .filter(({ kind }) => kind === identity.kind)
      .map((provider) => milestone(provider, "Ready"));
    return { name: "core", what: `Cluster API ${version}`, objects, ready };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    throw new StartError(
      `could not find a release of Cluster API's core, which belongs on a real cluster: ${error.message}; name a ` +
        'place that can be reached by "providers" of a configuration file (--config), or install the core before',
      { cause: error },
    );
  }
}
