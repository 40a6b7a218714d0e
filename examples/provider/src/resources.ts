import { resourceOf } from "@rookery/api";
import { builtInResources } from "@rookery/kube";
import { hostCluster } from "./kinds/host-cluster.ts";
import { hostMachine } from "./kinds/host-machine.ts";

export const clusters = resourceOf(hostCluster, "v1beta1");
export const machines = resourceOf(hostMachine, "v1beta1");
export const { validatingWebhookConfigurations } = builtInResources;
