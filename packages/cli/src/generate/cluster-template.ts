import type { Client } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { didYouMean } from "@rookery/kube";
import type { CommandIo } from "../command.ts";
import type { CommandConfig } from "../config/read-config.ts";
import { TemplateError, UsageError } from "../errors.ts";
import type { Connection } from "../kube-flags.ts";
import { withClusterClasses } from "./cluster-classes.ts";
import { type ClusterFacts, clusterVariables } from "./cluster-variables.ts";
import { findInfrastructure } from "./infrastructure.ts";
import { readConfigMap, readSource } from "./read-source.ts";
import type { ReleaseFiles } from "./release-files.ts";
import { makeTemplate, type Template, type TemplateOptions } from "./template.ts";

/** Where the template of a cluster comes from: a release, unless something else is named. */
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
  readonly files: ReleaseFiles;
  readonly facts: ClusterFacts;
  readonly isListed: boolean;
  /** Opens the management cluster when it is needed. */
  readonly connect: () => Promise<Connection>;
}

const usualKey = "template";

/** Errors: UsageError, TemplateError, FetchError. */
export async function clusterTemplate(
  source: TemplateSource,
  options: ClusterTemplateOptions,
): Promise<Template> {
  checkSource(source);
  const { io, config, files, facts, isListed, connect } = options;
  const lookup = clusterVariables(facts, config.variable);
  const making: TemplateOptions = { lookup, namespace: facts.namespace, isListed };
  if (source.from !== undefined) {
    const reader = { io, downloader: files.downloader, variable: config.variable };
    return makeTemplate(await readSource(source.from, reader), making);
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
  { files, connect }: ClusterTemplateOptions,
  making: TemplateOptions,
): Promise<Template> {
  const open = async () => (await connect()).client;
  const { place, version } = await findInfrastructure(infrastructure, files, open);
  const readFile = (name: string) => files.read(place, version, name);
  const text = await readFile(templateFile(flavor)).catch(async (error) => {
    const near = await nearFlavor(flavor, () => files.repository(place).names?.(version));
    throw near ? new TemplateError(`${messageOf(error)}${near}`, error) : error;
  });
  const client = await reachable(open);
  return withClusterClasses(makeTemplate(text, making), { readFile, options: making, client });
}

const templateFile = (flavor = "") => `cluster-template${flavor && `-${flavor}`}.yaml`;

/** The flavor that was probably meant, where the files of the release can be listed. */
async function nearFlavor(
  flavor: string | undefined,
  list: () => Promise<readonly string[]> | undefined,
): Promise<string> {
  if (flavor === undefined) return "";
  const names = await Promise.resolve(list()).catch(() => undefined);
  const flavors = names?.flatMap((name) => /^cluster-template-(.+)\.yaml$/.exec(name)?.[1] ?? []);
  return didYouMean(flavor, flavors ?? []);
}

/** A cluster may be planned before there is anything to make it. */
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
