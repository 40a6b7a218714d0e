import type { InstanceLayout } from "../state/install-state.ts";
import type { Family, InstanceWarning } from "./family.ts";

/** The flag for the namespace with the Secrets of cluster-scoped identities. */
export const credentialsFlag = "credentials-namespace";

/** The second namespace with credentials: from the spec, else the recorded one. */
export function credentialsNamespaceOf(
  { self }: Family,
  recorded: string | undefined,
): string | undefined {
  const { containers = [] } = self.view.provider.spec?.deployment ?? {};
  const values = containers.map(({ args = {} }) => args[credentialsFlag]);
  const argument = values.find((value) => value !== undefined);
  return argument === undefined ? recorded : `${argument}`;
}

/** A warning if an instance reads Secrets of other instances. */
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
