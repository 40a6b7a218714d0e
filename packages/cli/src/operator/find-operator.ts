import type { Client } from "@rookery/client";
import { compareVersions, parseVersion, tryParseVersion } from "@rookery/components";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { operatorName, operatorVersion } from "@rookery/operator";
import { OperatorVersionError } from "../errors.ts";

interface DeploymentSpec {
  readonly replicas?: number;
  readonly template: {
    readonly spec: {
      readonly containers: readonly {
        readonly name: string;
        readonly image?: string;
        readonly env?: readonly { readonly name: string; readonly value?: string }[];
      }[];
    };
  };
}

type OperatorDeployment = KubeObject<
  DeploymentSpec,
  {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  }
>;

const { deployments } = builtInResources;

/** The operator of a cluster, from its Deployment. */
export interface FoundOperator {
  readonly namespace: string;
  /** Undefined for a Deployment without the label. */
  readonly version: string | undefined;
  readonly image: string;
  readonly replicas: number;
  readonly env: Readonly<Record<string, string>>;
  readonly isAvailable: boolean;
}

export async function findOperator(client: Client): Promise<FoundOperator | undefined> {
  const labelSelector = `app.kubernetes.io/name=${operatorName}`;
  const list = await client.resource<OperatorDeployment>(deployments).listAll({ labelSelector });
  const found = list.items.find(({ metadata }) => metadata.deletionTimestamp === undefined);
  return found && describe(found);
}

/** Throws OperatorVersionError for another version than that of this command. */
export function checkOperatorVersion({ version }: FoundOperator): void {
  if (version === operatorVersion) return;
  throw new OperatorVersionError(version, operatorVersion, isNewerOperator(version));
}

/** An operator without the label of the version is older. */
export function isNewerOperator(version: string | undefined): boolean {
  const found = tryParseVersion(version ?? "");
  return found !== undefined && compareVersions(found, parseVersion(operatorVersion)) > 0;
}

function describe({ metadata, spec, status }: OperatorDeployment): FoundOperator {
  const container = spec?.template.spec.containers.find(({ name }) => name === "manager");
  const variables = container?.env ?? [];
  const isSeen = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const isRolledOut = (status?.updatedReplicas ?? 0) > 0 && (status?.availableReplicas ?? 0) > 0;
  return {
    namespace: metadata.namespace ?? "",
    version: metadata.labels?.["app.kubernetes.io/version"],
    image: container?.image ?? "",
    replicas: spec?.replicas ?? 1,
    env: Object.fromEntries(
      variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    ),
    isAvailable: isSeen && isRolledOut,
  };
}
