import type { ServiceAccount } from "@rookery/api";
import { type BuiltInKind, kindNames } from "../declaration/kind.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import { deprecatedAnnotations } from "../meta/deprecations.ts";
import { ruleOf, warner } from "../meta/rules.ts";

const mountableAnnotation = "kubernetes.io/enforce-mountable-secrets";

const annotationWarnings = ruleOf<ServiceAccount>({
  metadata: {
    annotations: deprecatedAnnotations({
      [mountableAnnotation]:
        "deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets",
    }),
  },
});

export const serviceAccountKind: BuiltInKind<ServiceAccount> = {
  ...kindNames("", "ServiceAccount", "serviceaccounts"),
  namespaced: true,
  shortNames: ["sa"],
  prepareForCreate: nameSecretsOnly,
  prepareForUpdate: nameSecretsOnly,
  warnings: warner<ServiceAccount>((account, field) => {
    const old = field.old as ServiceAccount | undefined;
    if (old?.metadata?.annotations?.[mountableAnnotation] === undefined) {
      annotationWarnings(account, field);
    }
  }),
  columns: [
    nameColumn,
    ...columns<ServiceAccount>({ Secrets: ({ secrets = [] }) => secrets.length }),
    ageColumn,
  ],
};

/** Keeps only the names of references to Secrets. */
function nameSecretsOnly(account: ServiceAccount): void {
  if (account.secrets === undefined) return;
  account.secrets = account.secrets.map(({ name }) => (name ? { name } : {}));
}
