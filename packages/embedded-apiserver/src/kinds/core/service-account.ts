import type { ServiceAccount } from "@rookery/api";
import { type BuiltInKind, kindNames } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";

const mountableAnnotation = "kubernetes.io/enforce-mountable-secrets";

export const serviceAccountKind: BuiltInKind<ServiceAccount> = {
  ...kindNames("", "ServiceAccount", "serviceaccounts"),
  namespaced: true,
  shortNames: ["sa"],
  prepareForCreate: nameSecretsOnly,
  prepareForUpdate: nameSecretsOnly,
  warnings(account, old) {
    const isOld = old?.metadata?.annotations?.[mountableAnnotation] !== undefined;
    if (isOld || account.metadata?.annotations?.[mountableAnnotation] === undefined) return [];
    return [
      `metadata.annotations[${mountableAnnotation}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ];
  },
  columns: [
    nameColumn,
    column("Secrets", "string", ({ secrets = [] }: ServiceAccount) => secrets.length),
    ageColumn,
  ],
};

/** Of a reference to a Secret only its name is kept. */
function nameSecretsOnly(account: ServiceAccount): void {
  if (account.secrets === undefined) return;
  account.secrets = account.secrets.map(({ name }) => (name ? { name } : {}));
}
