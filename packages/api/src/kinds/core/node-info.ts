import { object } from "../../declaration/collections.ts";
import { optional, required } from "../../declaration/fields.ts";
import { integer, string } from "../../declaration/scalars.ts";

/** A corev1.NodeSystemInfo. */
export function nodeInfo() {
  return object({
    machineID: required(string(), "The machine ID."),
    systemUUID: required(string(), "The UUID of the system."),
    bootID: required(string(), "The ID of this boot."),
    kernelVersion: required(string(), "The version of the kernel."),
    osImage: required(string(), "The operating system, for people."),
    containerRuntimeVersion: required(string(), "The container runtime and its version."),
    kubeletVersion: required(string(), "The version of the kubelet."),
    kubeProxyVersion: required(string(), "Not used any more."),
    operatingSystem: required(string(), "The operating system."),
    architecture: required(string(), "The architecture."),
    swap: optional(
      object({ capacity: optional(integer({ format: "int64" }), "Its size in bytes.") }),
      "The swap memory of the node.",
    ),
  });
}
