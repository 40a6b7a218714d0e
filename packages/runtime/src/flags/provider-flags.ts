import { durationFromMilliseconds, formatDuration, validateApiGroupSuffix } from "@rookery/kube";
import { jitterFactor } from "../leader-election/durations.ts";
import type { NamespaceScope } from "../scope/namespace-scope.ts";
import { namespaceScopeProblems, parseNamespaceScope } from "../scope/scope-flags.ts";
import { featureGatesFlag } from "./feature-gates.ts";
import type { Flag, FlagTable, FlagValues } from "./flag.ts";
import {
  addressFlag,
  booleanFlag,
  durationFlag,
  integerFlag,
  listFlag,
  stringFlag,
} from "./flag-kinds.ts";
import { type ParsedFlags, parseFlags } from "./parse-flags.ts";

/** The flags of every provider. Durations become milliseconds. */
export const providerFlags = {
  kubeconfig: stringFlag({
    default: "",
    help: "The kubeconfig file to use; KUBECONFIG, the pod's account or ~/.kube/config where absent.",
  }),
  context: stringFlag({
    default: "",
    help: "The context of the kubeconfig to use; its current one where absent.",
  }),
  namespace: listFlag({
    help: "Namespaces to watch, one by one or with commas between; all where absent.",
  }),
  "excluded-namespace": listFlag({
    help: "Namespaces not to watch, one by one or with commas between; not together with --namespace.",
  }),
  "api-group-suffix": stringFlag({
    default: "",
    help: "The suffix of the API groups of this instance, such as team-a.example.com.",
  }),
  "sync-period": durationFlag({
    default: "10m",
    help: "How often every watched object is reconciled at least.",
  }),
  "leader-elect": booleanFlag({
    default: false,
    help: "Let only one of several replicas work at a time.",
  }),
  "leader-elect-lease-duration": durationFlag({
    default: "15s",
    help: "How long others wait, after the leader was last heard of, before one of them leads.",
  }),
  "leader-elect-renew-deadline": durationFlag({
    default: "10s",
    help: "How long the leader goes on without having renewed its lease.",
  }),
  "leader-elect-retry-period": durationFlag({
    default: "2s",
    help: "How long to wait between two tries to get or renew the lease.",
  }),
  "metrics-bind-address": addressFlag({
    default: ":8080",
    help: "Where metrics are served, as host:port or :port; 0 for nowhere.",
  }),
  "health-addr": addressFlag({
    default: ":9440",
    help: "Where /healthz and /readyz are served, as host:port or :port; 0 for nowhere.",
  }),
  "profiler-address": addressFlag({
    default: "",
    help: "Where profiles are served below /debug/, as host:port; :port is for this machine only.",
  }),
  "webhook-port": integerFlag(
    { default: 9443, help: "The port of the webhook server; 0 for no webhooks." },
    { min: 0, max: 65_535 },
  ),
  "webhook-cert-dir": stringFlag({
    default: "",
    help: "The folder with tls.crt and tls.key for webhooks; where absent, they are issued and rotated here.",
  }),
  // A program with gates declares the flag again, with its gates.
  "feature-gates": featureGatesFlag({}),
  v: integerFlag({ default: 0, help: "How much is logged; 4 is for debugging." }, { min: 0 }),
} as const satisfies FlagTable;

/** `--<kind>-concurrency`, which a provider declares under that name. */
export function concurrencyFlag(kind: string, count: number): Flag<number> {
  const help = `How many ${kind} objects are reconciled at a time.`;
  return integerFlag({ default: count, help }, { min: 1 });
}

/** The flags of providers with webhooks, which have the names of their Service and configuration as defaults. */
export function webhookFlags(names: {
  readonly service: string;
  readonly validatingConfiguration: string;
}) {
  return {
    "webhook-service": stringFlag({
      default: names.service,
      help: "The Service of the webhooks; their certificate and the Secret of it are named after it.",
    }),
    "webhook-configuration": stringFlag({
      default: names.validatingConfiguration,
      help: "The ValidatingWebhookConfiguration whose authorities are kept up to date.",
    }),
  } as const satisfies FlagTable;
}

/** The values of the flags of every provider, with the scope that results from two of them. */
export type ProviderFlagValues = FlagValues<typeof providerFlags> & {
  readonly scope: NamespaceScope;
};

/**
 * Reads the command line of a provider: the flags of every provider and its own. Errors: a FlagsError with all problems.
 */
export function parseProviderFlags<Own extends FlagTable>(
  args: readonly string[],
  own: Own,
): ParsedFlags<ProviderFlagValues & FlagValues<Own>> {
  const table = { ...providerFlags, ...own } as typeof providerFlags & Own;
  // The checks concern the flags of every provider only.
  const check = (values: unknown) => checkTogether(values as FlagValues<typeof providerFlags>);
  const parsed = parseFlags(table, args, check) as ParsedFlags<FlagValues<typeof providerFlags>>;
  if (parsed.help) return parsed;
  const { namespace, excludedNamespace } = parsed;
  const scope = parseNamespaceScope({ namespace, "excluded-namespace": excludedNamespace });
  return { ...parsed, scope } as ParsedFlags<ProviderFlagValues & FlagValues<Own>>;
}

function checkTogether(values: FlagValues<typeof providerFlags>): string[] {
  const { namespace, excludedNamespace } = values;
  const scopeProblems = namespaceScopeProblems({
    namespace,
    "excluded-namespace": excludedNamespace,
  });
  return [...scopeProblems, ...suffixProblems(values), ...electionProblems(values)];
}

function suffixProblems({ apiGroupSuffix }: { readonly apiGroupSuffix: string }): string[] {
  if (apiGroupSuffix === "") return [];
  const problems = validateApiGroupSuffix(apiGroupSuffix);
  return problems.map((problem) => `--api-group-suffix=${apiGroupSuffix}: ${problem}`);
}

/** The durations that a leader election would refuse, as flags. */
function electionProblems(values: FlagValues<typeof providerFlags>): string[] {
  const { leaderElectLeaseDuration: lease, leaderElectRenewDeadline: renew } = values;
  const { leaderElectRetryPeriod: retry } = values;
  const problems: string[] = [];
  if (lease <= renew) {
    const flag = `--leader-elect-lease-duration=${durationText(lease)}`;
    const other = `--leader-elect-renew-deadline (${durationText(renew)})`;
    problems.push(`${flag}: it must be longer than ${other}`);
  }
  if (renew <= retry * jitterFactor) {
    const flag = `--leader-elect-renew-deadline=${durationText(renew)}`;
    const other = `${jitterFactor} times --leader-elect-retry-period (${durationText(retry)})`;
    problems.push(`${flag}: it must be longer than ${other}`);
  }
  return problems;
}

function durationText(milliseconds: number): string {
  return formatDuration(durationFromMilliseconds(milliseconds));
}
