import { validateDns1123Label } from "@rookery/kube";
import { NamespaceFlagError } from "../errors.ts";
import { allNamespaces, type NamespaceScope } from "./namespace-scope.ts";

/** The values of both flags. */
interface NamespaceScopeFlags {
  readonly namespace?: readonly string[] | undefined;
  readonly "excluded-namespace"?: readonly string[] | undefined;
}

type FlagName = keyof NamespaceScopeFlags;

const flagNames: readonly FlagName[] = ["namespace", "excluded-namespace"];

/**
 * The scope of the flags, all namespaces without them. Each flag may be repeated, and each value may contain several
 * namespaces, separated by commas. Throws a NamespaceFlagError if both are given, or a name is empty or invalid.
 */
export function parseNamespaceScope(values: NamespaceScopeFlags): NamespaceScope {
  const selected = namespacesOf("namespace", values);
  const excluded = namespacesOf("excluded-namespace", values);
  if (selected.length > 0 && excluded.length > 0) {
    throw new NamespaceFlagError(
      "--namespace and --excluded-namespace",
      "they exclude each other: name either the namespaces to watch or those to leave out",
    );
  }
  if (selected.length > 0) return { type: "namespaces", namespaces: selected };
  return excluded.length > 0 ? { type: "excluded", namespaces: excluded } : allNamespaces;
}

/** The problems of all values, each checked alone, and of both flags together. */
export function namespaceScopeProblems(values: NamespaceScopeFlags): readonly string[] {
  const single = flagNames.flatMap((flag) =>
    (values[flag] ?? []).flatMap((value) => problemsOf({ [flag]: [value] })),
  );
  return single.length > 0 ? single : problemsOf(values);
}

function problemsOf(values: NamespaceScopeFlags): string[] {
  try {
    parseNamespaceScope(values);
    return [];
  } catch (error) {
    if (!(error instanceof NamespaceFlagError)) throw error;
    return [error.message.replace("could not use ", "")];
  }
}

function namespacesOf(flag: FlagName, values: NamespaceScopeFlags): string[] {
  const names = (values[flag] ?? []).flatMap((value) => value.split(","));
  return [...new Set(names.map((name) => checked(flag, name.trim())))];
}

function checked(flag: FlagName, name: string): string {
  const quoted = `--${flag}=${JSON.stringify(name)}`;
  if (name === "") {
    const wayOut = flag === "namespace" ? "to watch all namespaces" : "to leave none out";
    throw new NamespaceFlagError(quoted, `it names no namespace; ${wayOut}, leave the flag out`);
  }
  const [problem] = validateDns1123Label(name);
  if (problem !== undefined) {
    throw new NamespaceFlagError(quoted, `it is no name of a namespace: ${problem}`);
  }
  return name;
}
