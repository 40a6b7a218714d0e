import { podHost } from "@rookery/http";
import {
  addressFlag,
  booleanFlag,
  durationFlag,
  type FlagTable,
  type FlagValues,
  flagsHelp,
  integerFlag,
  listFlag,
  type NamespaceScope,
  type ParsedFlags,
  parseFlags,
  parseNamespaceScope,
} from "@rookery/runtime";
import { defaultPorts } from "../sidecar.ts";
import { checkFlags } from "./check-flags.ts";
import { choiceFlag, groupMappingFlag, mappingFlag, rulesFlag, textFlag } from "./flag-types.ts";

const loopback = (port: number) => `127.0.0.1:${port}`;

/** The flags of `rookery proxy`. Durations become milliseconds. */
const proxyFlags = {
  upstream: textFlag(
    "The kubeconfig of the API server; KUBECONFIG, the pod's account or ~/.kube/config where absent.",
  ),
  "upstream-context": textFlag("The context of that kubeconfig; its current one where absent."),
  "api-group-suffix": mappingFlag({
    match: "suffix",
    help: "The app's own suffix and this instance's, as pinniped.dev=team1.example.com: every group that ends with a dot and the first ends with the second in the cluster. May be repeated.",
  }),
  map: groupMappingFlag,
  rule: rulesFlag,
  "hide-group": listFlag({
    help: "Groups of other instances that discovery does not tell by itself, as stable.team2.example.com or *.team2.example.com, with commas between.",
  }),
  "show-group": listFlag({
    help: "Groups, or *.suffix, that are no other instance's although they begin as the app's own and have a kind of the same name.",
  }),
  namespace: listFlag({
    help: "Namespaces that the app gets to see, one by one or with commas between; all where absent.",
  }),
  "excluded-namespace": listFlag({
    help: "Namespaces that the app does not get to see; not together with --namespace.",
  }),
  "own-namespace": textFlag(
    "Where the app itself lives, whose Leases, Secrets and ConfigMaps it needs whatever it sees; POD_NAMESPACE or the pod's account where absent.",
  ),
  identity: choiceFlag({
    choices: ["app", "proxy"],
    help: "Whom the API server sees: the app, whose token passes, or the proxy, with the credentials of --upstream.",
  }),
  "bind-address": addressFlag({
    default: loopback(defaultPorts.app),
    help: "Where the app reaches the proxy, as host:port.",
  }),
  "plain-http": booleanFlag({
    default: false,
    help: "Speak HTTP/1.1 in the clear with the app; only on loopback and with --identity=proxy.",
  }),
  "tls-cert-dir": textFlag(
    "The folder with tls.crt and tls.key (and ca.crt, for the files below); where absent, the proxy issues its own.",
  ),
  "tls-name": listFlag({
    help: "Further names and addresses in the certificate that the proxy issues, with commas between.",
  }),
  "client-ca-file": textFlag(
    "With --identity=proxy: the authorities, in PEM, of the client certificates that may use the proxy.",
  ),
  "state-dir": textFlag(
    "The folder where the proxy keeps its authority, its token and its keys, so that apps trust it after a restart and lists go on.",
  ),
  "ca-file-out": textFlag("Where to write the authority that the app has to trust."),
  "app-kubeconfig-out": textFlag(
    "Where to write a kubeconfig with which the app reaches the proxy.",
  ),
  "app-service-account-dir": textFlag(
    "The folder where to write token, ca.crt and namespace, as a client in a pod reads them.",
  ),
  "callback-bind-address": addressFlag({
    default: "",
    help: `Where the API server reaches the app's webhooks, as host:port or :port (${defaultPorts.callbacks} by custom); nowhere where absent.`,
  }),
  "callback-upstream": textFlag(
    "Where the app serves its webhooks, such as https://127.0.0.1:9443.",
  ),
  "callback-upstream-ca-file": textFlag("The authority of the app's serving certificate, in PEM."),
  "callback-upstream-server-name": textFlag(
    "The name to expect in the app's serving certificate; the host of --callback-upstream where absent.",
  ),
  "callback-upstream-insecure": booleanFlag({
    default: false,
    help: "Take any certificate of the app; only where --callback-upstream is on loopback.",
  }),
  "callback-cert-dir": textFlag(
    "The folder with tls.crt and tls.key that the API server trusts; where absent, the proxy issues its own.",
  ),
  "callback-name": listFlag({
    help: "The names in the certificate that the proxy issues for callbacks, such as <service>.<namespace>.svc.",
  }),
  "callback-ca-file-out": textFlag(
    "Where to write the authority of that certificate, for the caBundle of webhooks.",
  ),
  "max-request-body": integerFlag(
    {
      default: 3 * 1024 * 1024,
      help: "The most bytes of a request's body, as the API server has it.",
    },
    { min: 1024 },
  ),
  "max-header-size": integerFlag(
    { default: 1024 * 1024, help: "The most bytes of a request's headers, its URL included." },
    { min: 8 * 1024, max: 16 * 1024 * 1024 },
  ),
  "shutdown-grace": durationFlag({
    default: "10s",
    help: "How long requests on their way may take when the proxy stops; watches end at once.",
  }),
  "health-addr": addressFlag({
    default: `:${defaultPorts.health}`,
    help: "Where /healthz and /readyz are served, as host:port or :port; 0 for nowhere.",
  }),
  "metrics-bind-address": addressFlag({
    default: `:${defaultPorts.metrics}`,
    help: "Where metrics are served, as host:port or :port; 0 for nowhere.",
  }),
  v: integerFlag({ default: 0, help: "How much is logged; each request from 4 on." }, { min: 0 }),
} as const satisfies FlagTable;

export type DeclaredValues = FlagValues<typeof proxyFlags>;

/** The values of the flags, with the combined scope. */
export type ProxyFlagValues = DeclaredValues & { readonly scope: NamespaceScope };

/** Throws a FlagsError with all problems. */
export function parseProxyFlags(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ParsedFlags<ProxyFlagValues> {
  const parsed = parseFlags(proxyFlags, args, checkFlags);
  return parsed.help ? parsed : { ...parsed, ...inPod(parsed, env), scope: scopeOf(parsed) };
}

/** The addresses on a node whose pods share the loopback of the machine. */
function inPod(
  { bindAddress, callbackUpstream }: DeclaredValues,
  env: NodeJS.ProcessEnv,
): Pick<DeclaredValues, "bindAddress" | "callbackUpstream"> {
  const host = (url: string) => (url === "" ? "" : new URL(url).hostname);
  const upstream = host(callbackUpstream);
  return {
    bindAddress: bindAddress && { ...bindAddress, host: podHost(bindAddress.host, env) },
    callbackUpstream: callbackUpstream.replace(upstream, podHost(upstream, env)),
  };
}

function scopeOf({ namespace, excludedNamespace }: DeclaredValues): NamespaceScope {
  return parseNamespaceScope({ namespace, "excluded-namespace": excludedNamespace });
}

export function proxyHelp(): string {
  return `Usage: rookery proxy [flags]

Stands between an app and the API server, so that the same app runs several times in one cluster: it
renames the app's API groups, or narrows what the app sees to some namespaces, or both. docs/proxy.md has
examples.

${flagsHelp(proxyFlags)}`;
}
