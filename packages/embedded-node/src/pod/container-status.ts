import type { Container, ContainerState, ContainerStatus, VolumeMountStatus } from "@rookery/api";

/** The status of a container before its first start. */
export function waitingStatus(container: Container, reason: string): ContainerStatus {
  return {
    name: container.name ?? "",
    state: { waiting: { reason } },
    lastState: {},
    ready: false,
    restartCount: 0,
    image: container.image ?? "",
    imageID: "",
    started: false,
    ...mountsOf(container),
  };
}

/** The status of a container that has had a process. */
export function createdStatus(
  container: Container,
  created: {
    readonly containerID: string;
    readonly imageID: string;
    readonly restartCount: number;
    readonly lastState: ContainerState;
  },
): ContainerStatus {
  const { requests } = container.resources ?? {};
  return {
    ...waitingStatus(container, "ContainerCreating"),
    ...created,
    ...(requests && Object.keys(requests).length > 0 && { allocatedResources: requests }),
    resources: container.resources ?? {},
  };
}

function mountsOf({ volumeMounts = [] }: Container): Pick<ContainerStatus, "volumeMounts"> {
  if (volumeMounts.length === 0) return {};
  return { volumeMounts: volumeMounts.map(mountStatus) };
}

function mountStatus({
  name = "",
  mountPath = "",
  readOnly,
}: VolumeMountStatus): VolumeMountStatus {
  return {
    name,
    mountPath,
    ...(readOnly && { readOnly, recursiveReadOnly: "Disabled" }),
  };
}
