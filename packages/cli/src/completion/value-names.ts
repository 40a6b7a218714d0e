import type { ProviderKind } from "@rookery/components";
import { longName } from "../flags.ts";
import { kindFlags } from "../providers/kind-flags.ts";
import type { DeclaredArgument, DeclaredFlag } from "./declaration.ts";

/** The source of the values of a flag or an argument. */
export type ValueSource =
  | { readonly from: "choices"; readonly choices: readonly string[] }
  | { readonly from: "contexts"; readonly kubeconfig: string }
  | { readonly from: "namespaces" | "clusters" | "files" | "folders" | "nowhere" }
  | { readonly from: "providers"; readonly kind: ProviderKind };

const sources: Readonly<Record<string, ValueSource>> = {
  "--context": { from: "contexts", kubeconfig: "--kubeconfig" },
  "--kubeconfig-context": { from: "contexts", kubeconfig: "--kubeconfig" },
  "--to-kubeconfig-context": { from: "contexts", kubeconfig: "--to-kubeconfig" },
  "--namespace": { from: "namespaces" },
  "--target-namespace": { from: "namespaces" },
  "--excluded-namespace": { from: "namespaces" },
  "--cluster": { from: "clusters" },
  ...Object.fromEntries(
    kindFlags.map(({ flag, kind }) => [longName(flag), { from: "providers", kind } as const]),
  ),
};

export function sourceOfFlag({ names, value = "", choices }: DeclaredFlag): ValueSource {
  if (choices) return { from: "choices", choices };
  const [name = ""] = names;
  const known = sources[name];
  if (known) return known;
  if (/folder|dir(ectory)?$/.test(value) || /-dir(ectory)?$/.test(name)) return { from: "folders" };
  const isFile = /file|path/.test(value) || /(-file|kubeconfig|filename|^-f)$/.test(name);
  return { from: isFile ? "files" : "nowhere" };
}

/** Commands whose arguments are existing clusters; "generate cluster" takes the name of a new one. */
const commandsOnClusters = ["describe cluster", "get clusters", "get kubeconfig", "connect"];

export function sourceOfArgument(
  { name, choices }: DeclaredArgument,
  command: string,
): ValueSource {
  if (choices) return { from: "choices", choices };
  if (commandsOnClusters.includes(command)) return { from: "clusters" };
  return { from: /file|path/.test(name) ? "files" : "nowhere" };
}
