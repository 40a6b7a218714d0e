import type { VSphereMachineTemplate } from "@rookery/api";
import { defaultSize } from "../vm/size.ts";

type Status = NonNullable<VSphereMachineTemplate["status"]>;

/** What machines of a template will have, for those who decide before there is one. */
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
