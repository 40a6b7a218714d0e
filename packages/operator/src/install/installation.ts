import { validateDns1123Label } from "@rookery/kube";
import packageJson from "../../package.json" with { type: "json" };
import { InstallError } from "../errors.ts";

export interface InstallOptions {
  readonly image: string;
  /** rookery-system by default. */
  readonly namespace?: string;
  /** 2 by default. */
  readonly replicas?: number;
  /** Variables of the environment, such as HTTPS_PROXY, or those of components. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Installation extends Required<InstallOptions> {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export const defaultNamespace = "rookery-system";

export const operatorName = "rookery-operator";

/** The label app.kubernetes.io/version of its Deployment. */
export const operatorVersion: string = packageJson.version;

/** An optional ConfigMap with a configuration file of clusterctl. */
export const configuration = {
  configMap: `${operatorName}-config`,
  folder: "/etc/rookery",
  file: "/etc/rookery/clusterctl.yaml",
  /** Authorities for fetching components. */
  authorities: "/etc/rookery/ca.crt",
} as const;

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Errors: InstallError. */
export function createInstallation(options: InstallOptions): Installation {
  const { image, namespace = defaultNamespace, replicas = 2, env = {} } = options;
  const problems = [
    ...validateDns1123Label(namespace).map((why) => `--namespace "${namespace}": ${why}`),
    ...(image === "" ? ["--image is empty"] : []),
    ...Object.keys(env)
      .filter((name) => !variableName.test(name))
      .map((name) => `--env "${name}" is no name of a variable`),
  ];
  if (problems.length > 0) throw new InstallError(problems);
  const labels = { "app.kubernetes.io/name": operatorName };
  return { name: operatorName, image, namespace, replicas, env, labels };
}
