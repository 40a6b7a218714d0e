import {
  type FlagTable,
  type FlagValues,
  flagsHelp,
  listFlag,
  type NamespaceScope,
  namespaceScopeProblems,
  type ParsedFlags,
  parseFlags,
  parseNamespaceScope,
  stringFlag,
} from "@rookery/runtime";
import packageJson from "../../package.json" with { type: "json" };
import { mappingProblems } from "../flags/check-flags.ts";
import { groupMappingFlag, mappingFlag, rulesFlag, textFlag } from "../flags/flag-types.ts";

const injectFlags = {
  filename: listFlag({
    help: "A file with manifests of the app, - for the input. May be repeated.",
  }),
  f: listFlag({ help: "Short for --filename." }),
  "api-group-suffix": mappingFlag({
    match: "suffix",
    help: "The app's own suffix and this instance's, as pinniped.dev=team1.example.com. May be repeated.",
  }),
  map: groupMappingFlag,
  rule: rulesFlag,
  name: textFlag("What the instance is called; names of cluster-scoped objects end with it."),
  namespace: textFlag("Where the instance lives; where the manifests say unless given."),
  "watch-namespace": listFlag({
    help: "Namespaces that the app gets to see, one by one or with commas between; all where absent.",
  }),
  "excluded-namespace": listFlag({
    help: "Namespaces that the app does not get to see; not together with --watch-namespace.",
  }),
  image: stringFlag({
    default: `rookery:${packageJson.version}`,
    help: "The image of Rookery, which the proxy runs in.",
  }),
  "webhook-secret": textFlag(
    "The Secret with tls.crt and tls.key of the app's webhooks, where the manifests do not tell.",
  ),
} as const satisfies FlagTable;

export type InjectFlagValues = FlagValues<typeof injectFlags>;

/** Throws a FlagsError with all problems. */
export function parseInjectFlags(args: readonly string[]): ParsedFlags<InjectFlagValues> {
  return parseFlags(injectFlags, args, checkFlags);
}

function checkFlags(flags: InjectFlagValues): string[] {
  const { filename, f, apiGroupSuffix, map, name, watchNamespace, excludedNamespace } = flags;
  const isNarrowed = watchNamespace.length + excludedNamespace.length > 0;
  return [
    ...(filename.length + f.length === 0
      ? ["-f: name a file with manifests, or - for the input"]
      : []),
    ...(apiGroupSuffix.length + map.length === 0 && !isNarrowed
      ? [
          "--map, --api-group-suffix: say which API groups are renamed, or with --watch-namespace or " +
            "--excluded-namespace what the app gets to see",
        ]
      : []),
    ...(name === "" ? ["--name: say what the instance is called"] : []),
    ...mappingProblems({ ...flags, rule: [] }),
    ...namespaceScopeProblems(scopeFlags(flags)).map((problem) =>
      // --namespace of the rendering is the instance's own namespace.
      problem.replaceAll(/--namespace\b/g, "--watch-namespace"),
    ),
  ];
}

export function injectedScope(flags: InjectFlagValues): NamespaceScope {
  return parseNamespaceScope(scopeFlags(flags));
}

function scopeFlags({ watchNamespace, excludedNamespace }: InjectFlagValues) {
  return { namespace: watchNamespace, "excluded-namespace": excludedNamespace };
}

export function injectHelp(): string {
  return `Usage: rookery proxy inject -f app.yaml --map app=cluster --name instance [flags]

Prints the manifests of an app for one instance of several in a cluster: its API groups and all that is
cluster-scoped renamed, or what it sees narrowed to some namespaces, and the proxy beside it.
docs/proxy-inject.md has examples.

${flagsHelp(injectFlags)}`;
}
