import type { Provider } from "@rookery/api";
import { type Command, Option } from "commander";
import { UsageError } from "../errors.ts";
import { namedProviders, type ProviderFlags } from "../providers/provider-flags.ts";

export type Watch = NonNullable<NonNullable<Provider["spec"]>["watch"]>;

/** The flags about instances. */
export interface InstanceFlags extends ProviderFlags {
  readonly targetNamespace?: string;
  readonly watchNamespace?: readonly string[];
  readonly watchRest?: boolean;
  readonly watchRbac?: NonNullable<Watch["rbac"]>;
}

export function instanceFlags(command: Command): Command {
  const collect = (text: string, names: readonly string[] = []) => [
    ...names,
    ...text.split(",").filter((name) => name !== ""),
  ];
  return command
    .option("-n, --target-namespace <name>", "where providers go, if not where they say")
    .option(
      "--watch-namespace <names>",
      "namespaces that the named providers are to watch; others are left to other instances",
      collect,
    )
    .option("--watch-rest", "the named providers watch what no other instance of them does")
    .addOption(
      new Option(
        "--watch-rbac <rights>",
        "where their accounts have their rights: in the watched namespaces alone, which is the default, or in the cluster",
      ).choices(["Namespaced", "Cluster"]),
    );
}

/** The spec.watch of the flags; undefined without them. Throws UsageError. */
export function watchOf(flags: InstanceFlags): Watch | undefined {
  const { watchNamespace: names, watchRest, watchRbac: rbac } = flags;
  if (rbac && !names) throw new UsageError("--watch-rbac is for --watch-namespace.");
  if (names === undefined && !watchRest) return undefined;
  const both = "--watch-namespace and --watch-rest";
  if (names && watchRest) throw new UsageError(`${both} do not go together.`);
  if (names?.length === 0) throw new UsageError("--watch-namespace names no namespace.");
  if (namedProviders(flags).length === 0) {
    throw new UsageError(`${both} are for providers that are named; name one, such as -i vsphere.`);
  }
  return names ? { namespaces: [...new Set(names)], ...(rbac && { rbac }) } : { rest: true };
}
