import type { Runnable } from "@rookery/runtime";
import { createCoreEventBroadcaster } from "@rookery/runtime";
import type { ControllerContext } from "../controllers/context.ts";
import { createEphemeralClaims } from "./ephemeral-claims.ts";
import { createClaimProtection, createVolumeProtection } from "./protection.ts";
import { createVolumeController } from "./volume-controller.ts";

/**
 * What keeps volumes and claims: bound to each other, and there as long as someone uses them. With
 * a folder, it makes volumes in it.
 */
export function volumeControllers(
  context: ControllerContext,
  folder: string | undefined,
): readonly Runnable[] {
  const broadcaster = createCoreEventBroadcaster(context);
  const recorder = broadcaster.recorder("persistentvolume-controller");
  return [
    broadcaster,
    createVolumeController(context, { recorder, ...(folder !== undefined && { folder }) }),
    createClaimProtection(context),
    createVolumeProtection(context),
    createEphemeralClaims(context),
  ];
}
