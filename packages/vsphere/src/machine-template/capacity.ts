import type { VSphereMachineTemplate } from "@rookery/api";
import { defaultSize } from "../vm/size.ts";

type Status = NonNullable<VSphereMachineTemplate["status"]>;

/** The capacity of a template's machines, which an autoscaler reads before the first machine exists. */
export function templateStatus({ spec }: VSphereMachineTemplate): Status {
  const { numCPUs, memoryMiB, os = "Linux" } = spec.template.spec;
  return {
    capacity: {
      cpu: String(numCPUs ?? defaultSize.numCPUs),
      memory: `${memoryMiB ?? defaultSize.memoryMiB}Mi`,
    },
    nodeInfo: { operatingSystem: os.toLowerCase() },
  };
}
