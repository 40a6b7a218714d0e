import type { Client } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { didYouMean } from "@rookery/kube";
import type { CommandIo } from "../command.ts";
import type { CommandConfig } from "../config/read-config.ts";
import { TemplateError, UsageError } from "../errors.ts";
import type { Connection } from "../kube-flags.ts";
import type { ReleaseSources } from "../releases/release-source.ts";
import { withClusterClasses } from "./cluster-classes.ts";
import { type ClusterFacts, clusterVariables } from "./cluster-variables.ts";
import { findInfrastructure } from "./infrastructure.ts";
import { readConfigMap, readSource } from "./read-source.ts";
import { makeTemplate, type Template, type TemplateOptions } from "./template.ts";

/** The source of a cluster's template: a release, unless another one is named. */
export interface TemplateSource {
  readonly infrastructure?: string;
  readonly flavor?: string;
  readonly from?: string;
  readonly fromConfigMap?: string;
  readonly fromConfigMapKey?: string;
  readonly fromConfigMapNamespace?: string;
}

export interface ClusterTemplateOptions {
  readonly io: CommandIo;
  readonly config: CommandConfig;
  readonly sources: ReleaseSources;
  readonly facts: ClusterFacts;
  readonly isListed: boolean;
  /** Connects to the management cluster when it is needed. */
  readonly connect: () => Promise<Connection>;
}

const usualKey = "template";

/** Throws UsageError, TemplateError and FetchError. */
export async function clusterTemplate(
  source: TemplateSource,
  options: ClusterTemplateOptions,
): Promise<Template> {
  checkSource(source);
  const { io, config, sources, facts, isListed, connect } = options;
  const lookup = clusterVariables(facts, config.variable);
  const making: TemplateOptions = { lookup, namespace: facts.namespace, isListed };
  if (source.from !== undefined) {
    return makeTemplate(await readSource(source.from, { io, sources }), making);
  }
  if (source.fromConfigMap !== undefined) {
    const { client, namespace } = await connect();
    const place = {
      name: source.fromConfigMap,
      key: source.fromConfigMapKey ?? usualKey,
      namespace: source.fromConfigMapNamespace ?? namespace,
    };
    return makeTemplate(await readConfigMap(client, place), making);
  }
  return releaseTemplate(source, options, making);
}

async function releaseTemplate(
  { infrastructure, flavor }: TemplateSource,
  { sources, connect }: ClusterTemplateOptions,
  making: TemplateOptions,
): Promise<Template> {
  const open = async () => (await connect()).client;
  const { source, version } = await findInfrastructure(infrastructure, sources, open);
  const readFile = (name: string) => source.file(version, name);
  const text = await readFile(templateFile(flavor)).catch(async (error) => {
    const near = await nearFlavor(flavor, () => source.repository.names?.(version));
    throw near ? new TemplateError(`${messageOf(error)}${near}`, error) : error;
  });
  const client = await reachable(open);
  return withClusterClasses(makeTemplate(text, making), { readFile, options: making, client });
}

const templateFile = (flavor = "") => `cluster-template${flavor && `-${flavor}`}.yaml`;

/** The most similar flavor, where the files of the release can be listed. */
async function nearFlavor(
  flavor: string | undefined,
  list: () => Promise<readonly string[]> | undefined,
): Promise<string> {
  if (flavor === undefined) return "";
  const names = await Promise.resolve(list()).catch(() => undefined);
  const flavors = names?.flatMap((name) => /^cluster-template-(.+)\.yaml$/.exec(name)?.[1] ?? []);
  return didYouMean(flavor, flavors ?? []);
}

/** Undefined without a management cluster, as a cluster may be planned before there is one. */
async function reachable(open: () => Promise<Client>): Promise<Client | undefined> {
  try {
    const client = await open();
    await client.version();
    return client;
  } catch {
    return undefined;
  }
}

function checkSource(source: TemplateSource): void {
  const { infrastructure, flavor, from, fromConfigMap, fromConfigMapKey } = source;
  const isConfigMap = fromConfigMapKey ?? source.fromConfigMapNamespace;
  const given = [
    ...((infrastructure ?? flavor) === undefined ? [] : ["--infrastructure or --flavor"]),
    ...(from === undefined ? [] : ["--from"]),
    ...((fromConfigMap ?? isConfigMap) === undefined ? [] : ["--from-config-map"]),
  ];
  if (given.length > 1) throw new UsageError(`${given.join(" and ")} do not go together.`);
  if (isConfigMap !== undefined && fromConfigMap === undefined) {
    throw new UsageError("--from-config-map has to name the ConfigMap.");
  }
}
