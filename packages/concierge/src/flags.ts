import {
  concurrencyFlag,
  FlagsError,
  type FlagTable,
  type FlagValues,
  integerFlag,
  listFlag,
  type ParsedFlags,
  type ProviderFlagValues,
  parseProviderFlags,
  stringFlag,
} from "@rookery/runtime";
import { systemNameProblems } from "./authenticators/system-names.ts";
import { suffixProblems } from "./group-suffix.ts";
import { conciergeName } from "./names.ts";

/** The flags of the concierge, besides those of every provider. */
export const conciergeFlags = {
  "secure-port": integerFlag(
    { default: 10_250, help: "The port of the aggregated API; 0 takes any free one." },
    { min: 0, max: 65_535 },
  ),
  service: stringFlag({
    default: conciergeName,
    help: "The Service of the aggregated API; its certificate and the Secret of it are named after it.",
  }),
  "signing-secret": stringFlag({
    default: "",
    help: "The Secret, beside the concierge, with tls.crt and tls.key of the cluster's client authority.",
  }),
  "signing-cert-file": stringFlag({
    default: "",
    help: "The same from a file: the certificate. Without any key, CertificateSigningRequests are used.",
  }),
  "signing-key-file": stringFlag({
    default: "",
    help: "The file with the key of --signing-cert-file.",
  }),
  "allowed-system-names": listFlag({
    help:
      'Users and groups that begin with "system:" and that certificates may carry, or beginnings of their names with ' +
      'a "*" behind them. Tokens with any other such name are refused.',
  }),
  "authenticator-concurrency": concurrencyFlag("authenticator", 5),
} as const satisfies FlagTable;

export type ConciergeFlagValues = ProviderFlagValues & FlagValues<typeof conciergeFlags>;

/** Throws a FlagsError that names all problems. */
export function parseConciergeFlags(args: readonly string[]): ParsedFlags<ConciergeFlagValues> {
  const flags = parseProviderFlags(args, conciergeFlags);
  if (flags.help) return flags;
  const problems = [
    ...suffixProblems(flags.apiGroupSuffix),
    ...signingProblems(flags),
    ...systemNameProblems(flags.allowedSystemNames),
  ];
  if (problems.length > 0) throw new FlagsError(problems);
  return flags;
}

function signingProblems(flags: ConciergeFlagValues): readonly string[] {
  const { signingSecret, signingCertFile, signingKeyFile } = flags;
  return [
    ...(signingSecret && (signingCertFile || signingKeyFile)
      ? ["--signing-secret: it does not go together with --signing-cert-file, --signing-key-file"]
      : []),
    ...(Boolean(signingCertFile) === Boolean(signingKeyFile)
      ? []
      : ["--signing-cert-file, --signing-key-file: give both, or none"]),
  ];
}
