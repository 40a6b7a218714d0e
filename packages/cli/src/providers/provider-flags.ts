import {
  defaultProviders,
  type ProviderIdentity,
  type ProviderKind,
  parseProviderVersion,
  providerKindNames,
} from "@rookery/components";
import { didYouMean, validateDns1123Label } from "@rookery/kube";
import type { Command } from "commander";
import type { CommandConfig } from "../config/read-config.ts";
import { UsageError } from "../errors.ts";
import { longName, repeatedList } from "../flags.ts";
import { type KindKey, kindFlags } from "./kind-flags.ts";

/** A provider that was named on the command line. */
export interface NamedProvider extends ProviderIdentity {
  /** The newest fitting one where absent. */
  readonly version?: string;
}

/** The values of the flag of each kind; "-" stands for no provider of it. */
export type ProviderFlags = { readonly [Key in KindKey]?: readonly string[] };

/** clusterctl's word for "no provider of this kind". */
const none = "-";

/** Adds a flag for each kind of provider, which may be repeated and may have a comma-separated list. */
export function providerFlags(command: Command, form = "name[:version]"): Command {
  for (const { flag, summary } of kindFlags) {
    command.option(`${flag} <${form}>`, summary, repeatedList);
  }
  return command;
}

/** All named providers, in the order of their installation. Throws UsageError. */
export function namedProviders(flags: ProviderFlags): readonly NamedProvider[] {
  const named = kindFlags.flatMap(({ kind, key, flag }) => {
    const texts = (flags[key] ?? []).filter((text) => text !== none);
    return texts.map((text) => ({ kind, ...parseProviderName(text, longName(flag)) }));
  });
  const twice = named.find((one, index) => named.findIndex((other) => isSame(one, other)) < index);
  if (!twice) return named;
  throw new UsageError(`${twice.kind} ${twice.name} is named twice; name it once.`);
}

/** Whether the flag of a kind was given, even as "-". */
export function isNamed(flags: ProviderFlags, kind: ProviderKind): boolean {
  return kindFlags.some((one) => one.kind === kind && flags[one.key] !== undefined);
}

/** The flag for a provider: "--infrastructure aws:v2.0.0". */
export function flagOf({ kind, name, version }: NamedProvider): string {
  const { flag = "" } = kindFlags.find((one) => one.kind === kind) ?? {};
  return `${longName(flag)} ${name}${version ? `:${version}` : ""}`;
}

export function isSame(a: ProviderIdentity, b: ProviderIdentity): boolean {
  return a.kind === b.kind && a.name === b.name;
}

/** Orders providers by their kinds, the core first. */
export function compareKinds(
  a: Pick<ProviderIdentity, "kind">,
  b: Pick<ProviderIdentity, "kind">,
): number {
  return providerKindNames.indexOf(a.kind) - providerKindNames.indexOf(b.kind);
}

/** Parses "name[:version]". Throws UsageError. */
export function parseProviderName(
  text: string,
  flag: string,
): { readonly name: string; readonly version?: string } {
  const [given = "", version, ...more] = text.split(":");
  const name = given.toLowerCase();
  if (more.length > 0 || version === "" || validateDns1123Label(name).length > 0) {
    throw new UsageError(`${flag} "${text}" is not name or name:version.`);
  }
  if (version === undefined) return { name };
  try {
    parseProviderVersion(version);
  } catch {
    throw new UsageError(`${flag} "${text}" has no version such as v1.13.6 behind its colon.`);
  }
  return { name, version };
}

/** A problem for each unknown name that is similar to a known one. */
export function unknownProviders(
  chosen: readonly ProviderIdentity[],
  { providers }: Pick<CommandConfig, "providers">,
  present: readonly ProviderIdentity[] = [],
): readonly string[] {
  const known = [...defaultProviders(), ...providers, ...present];
  return chosen.flatMap(({ kind, name }) => {
    const names = known.filter((one) => one.kind === kind).map((one) => one.name);
    const meant = didYouMean(name, names);
    if (meant === "") return [];
    return `${kind} ${name} is unknown${meant} "rookery config repositories" lists all that can be named`;
  });
}
