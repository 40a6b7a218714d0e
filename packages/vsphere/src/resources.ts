import {
  resourceOf,
  vsphereCluster,
  vsphereClusterIdentity,
  vsphereClusterTemplate,
  vsphereMachine,
  vsphereMachineTemplate,
  vsphereVm,
} from "@rookery/api";
import { builtInResources } from "@rookery/kube";

export const clusters = resourceOf(vsphereCluster, "v1beta1");
export const clusterTemplates = resourceOf(vsphereClusterTemplate, "v1beta1");
export const identities = resourceOf(vsphereClusterIdentity, "v1beta1");
export const virtualMachines = resourceOf(vsphereVm, "v1beta1");
export const machines = resourceOf(vsphereMachine, "v1beta1");
export const machineTemplates = resourceOf(vsphereMachineTemplate, "v1beta1");

export const { secrets, namespaces } = builtInResources;
