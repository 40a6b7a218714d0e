import type { InstanceLayout } from "../state/instance-layout.ts";
import type { Family, Instance } from "./family.ts";
import type { InstanceWarning } from "./instance-warning.ts";

/** What managers are told where Secrets of identities are that are in no namespace themselves. */
export const credentialsFlag = "credentials-namespace";

/**
 * Where an instance looks for credentials that its own namespace does not have: where its spec says,
 * else where all instances looked when it was installed. A new instance has none but its own.
 */
export function credentialsNamespaceOf(
  { self }: Family,
  recorded: string | undefined,
): string | undefined {
  return argumentOf(self) ?? recorded;
}

/** What an administrator should know of an instance that reads the Secrets of others. */
export function credentialWarnings(
  { self: { view } }: Family,
  layout: InstanceLayout | undefined,
): readonly InstanceWarning[] {
  const { namespace = "" } = view.provider.metadata;
  const other = layout?.credentials;
  if (other === undefined || other === namespace) return [];
  const message =
    `it reads Secrets of identities in namespace ${other}, too, where those of others are; put those ` +
    `that its clusters use into ${namespace}, and set the argument ${credentialsFlag} of its manager to ${namespace}`;
  return [{ reason: "SharedCredentials", message }];
}

function argumentOf({ view: { provider } }: Instance): string | undefined {
  const { containers = [] } = provider.spec?.deployment ?? {};
  const values = containers.map(({ args = {} }) => args[credentialsFlag]);
  const named = values.find((value) => value !== undefined);
  return named === undefined ? undefined : `${named}`;
}
