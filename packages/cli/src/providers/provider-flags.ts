import {
  type ProviderIdentity,
  type ProviderKind,
  parseProviderVersion,
} from "@rookery/components";
import type { Command } from "commander";
import { UsageError } from "../errors.ts";

/** A provider that somebody named on the command line. */
export interface NamedProvider extends ProviderIdentity {
  /** Absent where the newest fitting one is meant. */
  readonly version?: string;
}

/** What was given for each kind; "-" stands for none of it. */
export interface ProviderFlags {
  readonly core?: readonly string[];
  readonly bootstrap?: readonly string[];
  readonly controlPlane?: readonly string[];
  readonly infrastructure?: readonly string[];
  readonly ipam?: readonly string[];
  readonly runtimeExtension?: readonly string[];
  readonly addon?: readonly string[];
}

interface KindFlag {
  readonly kind: ProviderKind;
  readonly key: keyof ProviderFlags;
  readonly flag: string;
  readonly what: string;
  readonly example: string;
}

function kindFlag(kind: ProviderKind, key: keyof ProviderFlags, text: readonly string[]): KindFlag {
  const [flag = "", what = "", example = ""] = text;
  return { kind, key, flag, what, example };
}

/** In the order in which providers are installed. */
const kindFlags: readonly KindFlag[] = [
  kindFlag("CoreProvider", "core", ["--core", "the core provider", "cluster-api"]),
  kindFlag("BootstrapProvider", "bootstrap", [
    ...["-b, --bootstrap", "bootstrap providers", "kubeadm"],
  ]),
  kindFlag("ControlPlaneProvider", "controlPlane", [
    ...["-c, --control-plane", "control plane providers", "kubeadm"],
  ]),
  kindFlag("InfrastructureProvider", "infrastructure", [
    ...["-i, --infrastructure", "infrastructure providers", "vsphere"],
  ]),
  kindFlag("IPAMProvider", "ipam", ["--ipam", "IPAM providers", "in-cluster"]),
  kindFlag("AddonProvider", "addon", ["--addon", "add-on providers", "helm"]),
  kindFlag("RuntimeExtensionProvider", "runtimeExtension", [
    ...["--runtime-extension", "runtime extensions", "nutanix"],
  ]),
];

/** Adds a flag for each kind of provider, which may be repeated and may hold a comma-separated list. */
export function providerFlags(command: Command, form = "name[:version]"): Command {
  for (const { flag, what, example } of kindFlags) {
    const collect = (text: string, texts: readonly string[] = []) => [...texts, ...split(text)];
    command.option(`${flag} <${form}>`, `${what}, such as ${example}`, collect);
  }
  return command;
}

/** All that were named, in the order in which they are installed. Errors: UsageError. */
export function namedProviders(flags: ProviderFlags): readonly NamedProvider[] {
  const named = kindFlags.flatMap(({ kind, key, flag }) =>
    (flags[key] ?? []).filter((text) => text !== none).map((text) => read(text, kind, flag)),
  );
  const twice = named.find((one, index) => named.findIndex((other) => isSame(one, other)) < index);
  if (!twice) return named;
  throw new UsageError(`${twice.kind} ${twice.name} is named twice; name it once.`);
}

/** Whether anything was said of a kind, if only that none of it is wanted. */
export function isNamed(flags: ProviderFlags, kind: ProviderKind): boolean {
  const key = kindFlags.find((one) => one.kind === kind)?.key;
  return key !== undefined && flags[key] !== undefined;
}

/** How a user names a provider of a kind: "--infrastructure aws:v2.0.0". */
export function flagOf({ kind, name, version }: NamedProvider): string {
  const flag =
    kindFlags
      .find((one) => one.kind === kind)
      ?.flag.split(", ")
      .at(-1) ?? "";
  return `${flag} ${name}${version ? `:${version}` : ""}`;
}

export function isSame(a: ProviderIdentity, b: ProviderIdentity): boolean {
  return a.kind === b.kind && a.name === b.name;
}

/** What clusterctl takes for "no provider of this kind". */
const none = "-";

function split(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function read(text: string, kind: ProviderKind, flag: string): NamedProvider {
  const [name = "", version, ...more] = text.split(":");
  const place = `${flag.split(", ").at(-1)} "${text}"`;
  if (name === "" || version === "" || more.length > 0) {
    throw new UsageError(`${place} is not name or name:version.`);
  }
  if (version === undefined) return { kind, name };
  try {
    parseProviderVersion(version);
  } catch {
    throw new UsageError(`${place} has no version such as v1.13.6 behind its colon.`);
  }
  return { kind, name, version };
}
