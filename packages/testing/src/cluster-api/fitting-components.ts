import { parse, stringify } from "yaml";
import type { Kubernetes } from "../kubernetes.ts";

interface Port {
  readonly name?: string;
  readonly containerPort: number;
}

interface Container {
  readonly args?: readonly string[];
  readonly ports?: readonly Port[];
}

interface Deployment {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly Container[] } };
  };
}

/**
 * A stock provider's components as a node can run them. No node has a registry to pull from. On the
 * embedded node, programs that listen on all addresses listen on those of the machine: their flags set
 * the pod's address where possible, and a webhook port that neither another instance nor the replaced
 * pod uses.
 */
export function fittingComponents(
  { flavour }: Pick<Kubernetes, "flavour">,
  components: string,
  instance = 0,
): string {
  const pulled = components.replaceAll("imagePullPolicy: Always", "imagePullPolicy: IfNotPresent");
  if (flavour !== "embedded") return pulled;
  const fitted = pulled
    .split(/^---\n/m)
    .map((text) =>
      isDeployment.test(text) ? stringify(onOwnPorts(parse(text), firstPort + instance)) : text,
    );
  return fitted.join("---\n");
}

/** Away from 9443, which programs of Rookery have, each at its pod's address. */
const firstPort = 19_443;

const isDeployment = /^kind: Deployment$/m;

function onOwnPorts(deployment: Deployment, webhooks: number): object {
  const { spec } = deployment;
  const containers = spec.template.spec.containers.map((container) => ({
    ...container,
    args: [
      ...(container.args ?? []).filter(
        (argument) => !/^--(diagnostics|health)-addr/.test(argument),
      ),
      "--diagnostics-address=$(ROOKERY_LISTEN_HOST):8443",
      "--health-addr=$(ROOKERY_LISTEN_HOST):9440",
      `--webhook-port=${webhooks}`,
    ],
    ports: (container.ports ?? []).map((port) =>
      port.name === "webhook-server" ? { ...port, containerPort: webhooks } : port,
    ),
  }));
  const template = { ...spec.template, spec: { ...spec.template.spec, containers } };
  return { ...deployment, spec: { ...spec, strategy: { type: "Recreate" }, template } };
}
