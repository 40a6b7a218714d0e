import { byAge } from "../preflight/core-of.ts";
import type { Family, Instance } from "./family.ts";

/** What managers are told where Secrets of identities are that are in no namespace themselves. */
export const credentialsFlag = "credentials-namespace";

/**
 * Where all instances of a provider look for credentials. Identities in no namespace belong to all: who
 * looks for their Secrets elsewhere says otherwise of them, and writes against the others. It is what a
 * spec names, the eldest's first; else what was chosen before, so that it stays where the Secrets are
 * when the first goes; else where the first lives.
 */
export function credentialsNamespaceOf(family: Family, recorded: string | undefined): string {
  const { self, others, first } = family;
  const members = [self, ...others].toSorted((a, b) => byAge(a.view, b.view));
  const named = members.map(argumentOf).find((namespace) => namespace !== undefined);
  const { provider, credentials } = first.view;
  return named ?? recorded ?? credentials ?? provider.metadata.namespace ?? "";
}

function argumentOf({ view: { provider } }: Instance): string | undefined {
  const { containers = [] } = provider.spec?.deployment ?? {};
  const values = containers.map(({ args = {} }) => args[credentialsFlag]);
  const named = values.find((value) => value !== undefined);
  return named === undefined ? undefined : `${named}`;
}
