import type { Container, PodSpec, ServiceAccount } from "@rookery/api";
import type { AdmissionAttributes } from "@rookery/apiserver";
import { refusal } from "./mutating.ts";

/** Whether a pod references Secrets. */
export function referencesSecrets(spec: PodSpec): boolean {
  const { imagePullSecrets = [], volumes = [], initContainers = [], containers = [] } = spec;
  const inVolumes = volumes.some(
    ({ secret, projected }) =>
      secret !== undefined || (projected?.sources ?? []).some((source) => source.secret),
  );
  const inContainers = [...initContainers, ...containers].some(
    (container) => secretsOf(container).length > 0,
  );
  return imagePullSecrets.length > 0 || inVolumes || inContainers;
}

interface Reference {
  /** Such as "envVar KEY". */
  readonly from: string;
  readonly secret: string;
}

function secretsOf({ env = [], envFrom = [] }: Container): Reference[] {
  return [
    ...env.flatMap(({ name, valueFrom }) => {
      const secret = valueFrom?.secretKeyRef?.name;
      return secret === undefined ? [] : [{ from: `envVar ${name}`, secret }];
    }),
    ...envFrom.flatMap(({ secretRef }) =>
      secretRef?.name === undefined ? [] : [{ from: "envFrom", secret: secretRef.name }],
    ),
  ];
}

/** Rejects pods that reference Secrets which the account does not list. */
export function assertSecretsReferenced(
  spec: PodSpec,
  account: ServiceAccount,
  attributes: AdmissionAttributes,
): void {
  const [problem] = unreferenced(spec, account);
  if (problem !== undefined) throw refusal(attributes, problem);
}

function unreferenced(spec: PodSpec, account: ServiceAccount): string[] {
  const { imagePullSecrets = [], volumes = [], initContainers = [], containers = [] } = spec;
  const named = new Set((account.secrets ?? []).map(({ name }) => name));
  const pull = new Set((account.imagePullSecrets ?? []).map(({ name }) => name));
  const owner = `service account ${account.metadata?.name} does not reference that`;
  const inVolumes = volumes.flatMap(({ secret }) =>
    secret === undefined || named.has(secret.secretName)
      ? []
      : [`volume with secret.secretName="${secret.secretName}"`],
  );
  const inContainers = (kind: string, all: readonly Container[]) =>
    all.flatMap((container) =>
      secretsOf(container)
        .filter(({ secret }) => !named.has(secret))
        .map(
          ({ from, secret }) =>
            `${kind} ${container.name} with ${from} referencing secret.secretName="${secret}"`,
        ),
    );
  const secrets = [
    ...inVolumes,
    ...inContainers("init container", initContainers),
    ...inContainers("container", containers),
  ].map((what) => `${what} is not allowed because ${owner} secret`);
  const pulled = imagePullSecrets.flatMap(({ name }, i) =>
    pull.has(name)
      ? []
      : [`imagePullSecrets[${i}].name="${name}" is not allowed because ${owner} imagePullSecret`],
  );
  return [...secrets, ...pulled];
}
