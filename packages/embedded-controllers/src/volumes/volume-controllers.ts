import type { Runnable } from "@rookery/runtime";
import { createCoreEventBroadcaster } from "@rookery/runtime";
import type { ControllerContext } from "../context/context.ts";
import { createEphemeralClaims } from "./ephemeral-claims.ts";
import { createClaimProtection, createVolumeProtection } from "./protection.ts";
import { createVolumeController } from "./volume-controller.ts";
import type { VolumeProvisioner } from "./volume-provisioner.ts";

/**
 * The controllers that bind volumes and claims to each other, and keep them while they are used. A
 * provisioner creates volumes for claims of its storage classes.
 */
export function volumeControllers(
  context: ControllerContext,
  provisioner: VolumeProvisioner | undefined,
): readonly Runnable[] {
  const broadcaster = createCoreEventBroadcaster(context);
  const recorder = broadcaster.recorder("persistentvolume-controller");
  return [
    broadcaster,
    createVolumeController(context, { recorder, provisioner }),
    createClaimProtection(context),
    createVolumeProtection(context),
    createEphemeralClaims(context),
  ];
}
