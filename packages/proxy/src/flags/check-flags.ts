import {
  createGroupMapping,
  InvalidMappingError,
  InvalidRuleError,
  renameGroups,
} from "@rookery/group-suffix";
import { isLoopback } from "@rookery/http";
import { validateApiGroupSuffix, validateDns1123Label } from "@rookery/kube";
import { namespaceScopeProblems } from "@rookery/runtime";
import type { DeclaredValues } from "./proxy-flags.ts";

/** Conflicts between flags, each with a solution. */
export function checkFlags(flags: DeclaredValues): string[] {
  return [
    ...mappingProblems(flags),
    ...hidingProblems(flags),
    ...scopeProblems(flags),
    ...listenerProblems(flags),
    ...identityProblems(flags),
    ...callbackProblems(flags),
  ];
}

/** The problems of the groups to rename, and of the rules. */
export function mappingProblems({
  apiGroupSuffix,
  map,
  rule,
}: Pick<DeclaredValues, "apiGroupSuffix" | "map" | "rule">): readonly string[] {
  try {
    const mapping = createGroupMapping([...apiGroupSuffix, ...map]);
    renameGroups({ mapping, rules: rule });
    return [];
  } catch (error) {
    if (error instanceof InvalidRuleError) return [`--rule: ${error.message}`];
    if (!(error instanceof InvalidMappingError)) throw error;
    return error.problems.map((problem) => `--api-group-suffix, --map: ${problem}`);
  }
}

function hidingProblems({ apiGroupSuffix, map, hideGroup, showGroup }: DeclaredValues): string[] {
  const named = [
    ...hideGroup.map((group) => ["--hide-group", group] as const),
    ...showGroup.map((group) => ["--show-group", group] as const),
  ];
  const isRenamed = apiGroupSuffix.length + map.length > 0;
  return named.flatMap(([flag, group]) => {
    if (!isRenamed)
      return `${flag}=${group}: no groups are renamed; give --map or --api-group-suffix`;
    return validateApiGroupSuffix(group.replace(/^\*\./, "")).map(
      (problem) => `${flag}: ${JSON.stringify(group)} ${problem}`,
    );
  });
}

function scopeProblems(flags: DeclaredValues): readonly string[] {
  const { namespace, excludedNamespace, ownNamespace } = flags;
  const isNarrowed = namespace.length + excludedNamespace.length > 0;
  const own = ownNamespace === "" ? [] : validateDns1123Label(ownNamespace);
  return [
    ...namespaceScopeProblems({ namespace, "excluded-namespace": excludedNamespace }),
    ...own.map((problem) => `--own-namespace=${ownNamespace}: ${problem}`),
    ...(ownNamespace !== "" && !isNarrowed
      ? ["--own-namespace: all namespaces are seen; leave it out, or give --namespace"]
      : []),
  ];
}

function listenerProblems(flags: DeclaredValues): string[] {
  const { bindAddress, plainHttp, tlsCertDir, appServiceAccountDir } = flags;
  if (!bindAddress) return ["--bind-address: it must be host:port; an app has to reach the proxy"];
  if (!plainHttp) return [];
  const problems: string[] = [];
  if (!isLoopback(bindAddress.host)) {
    problems.push(
      "--plain-http: tokens would pass in the clear; bind to 127.0.0.1, or leave it out",
    );
  }
  if (flags.identity === "app") {
    problems.push(
      "--plain-http: clients send no token without TLS; leave it out, or use --identity=proxy",
    );
  }
  for (const [flag, isGiven] of Object.entries({
    "tls-cert-dir": tlsCertDir !== "",
    "ca-file-out": flags.caFileOut !== "",
    "client-ca-file": flags.clientCaFile !== "",
    "app-service-account-dir": appServiceAccountDir !== "",
  })) {
    if (isGiven) problems.push(`--${flag}: it is about TLS; leave it or --plain-http out`);
  }
  return problems;
}

function identityProblems(flags: DeclaredValues): string[] {
  const { identity, bindAddress, clientCaFile } = flags;
  if (identity === "app") {
    if (clientCaFile === "") return [];
    return ["--client-ca-file: a certificate says nothing upstream; use --identity=proxy with it"];
  }
  if (!bindAddress || isLoopback(bindAddress.host) || givesToken(flags)) return [];
  if (clientCaFile !== "") return [];
  return [
    "--identity=proxy: anybody could use it; bind to 127.0.0.1, or give --client-ca-file or --app-kubeconfig-out",
  ];
}

/** Whether the app reads a token from a file of the proxy. */
export function givesToken(flags: DeclaredValues): boolean {
  const { identity, appKubeconfigOut, appServiceAccountDir } = flags;
  return identity === "proxy" && (appKubeconfigOut !== "" || appServiceAccountDir !== "");
}

function callbackProblems(flags: DeclaredValues): string[] {
  const { callbackBindAddress, callbackUpstream } = flags;
  if (!callbackBindAddress) {
    return callbackUpstream === ""
      ? []
      : ["--callback-upstream: nothing would call it; say where with --callback-bind-address"];
  }
  return [...callbackUpstreamProblems(flags), ...callbackCertificateProblems(flags)];
}

function callbackUpstreamProblems(flags: DeclaredValues): string[] {
  const { callbackUpstream: text, callbackUpstreamInsecure, callbackUpstreamCaFile } = flags;
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.pathname !== "/" || url.search !== "") {
    return [`--callback-upstream=${text}: it must be such as https://127.0.0.1:9443`];
  }
  if (callbackUpstreamInsecure && !isLoopback(url.hostname)) {
    return [
      "--callback-upstream-insecure: anybody could answer for the app; give --callback-upstream-ca-file",
    ];
  }
  if (callbackUpstreamInsecure === (callbackUpstreamCaFile !== "")) {
    return [
      "--callback-upstream: give either --callback-upstream-ca-file or, on loopback, --callback-upstream-insecure",
    ];
  }
  return [];
}

function callbackCertificateProblems(flags: DeclaredValues): string[] {
  const { callbackCertDir, callbackName, callbackCaFileOut } = flags;
  const isIssued = callbackName.length > 0 && callbackCaFileOut !== "";
  if ((callbackCertDir !== "") !== isIssued) return [];
  return [
    "--callback-bind-address: the API server has to trust its certificate; give either --callback-cert-dir, or --callback-name and --callback-ca-file-out",
  ];
}
