import type { Client } from "@rookery/client";
import { operator } from "./operator.ts";
import { hasOtherCore } from "./other-core.ts";
import type { Part } from "./part.ts";
import { core } from "./providers.ts";
import type { SimulatorProgram } from "./simulator.ts";
import {
  groupTenant,
  identityTenant,
  instanceTenant,
  nestedTenant,
  type Surroundings,
  sharedVSphere,
  tenants,
} from "./tenants.ts";
import { reserveVCenter, vcenterPart } from "./vcenter.ts";

export interface PlaneOptions {
  readonly client: Client;
  /** The image of Rookery, of which all its pods are. */
  readonly image: string;
  readonly simulator: Promise<SimulatorProgram>;
}

/** Everything that is brought up, with a tenant on each rung of the ladder. */
export async function planeParts(options: PlaneOptions): Promise<readonly Part[]> {
  const { client, image, simulator } = options;
  const accounts = [tenants.identity, tenants.instance, tenants.group];
  const vcenter = await reserveVCenter(client, accounts);
  const missing = simulator.then((found) => found.missing && `no vCenter: ${found.missing}`);
  const surroundings: Surroundings = { image, vcenter, missing };
  return [
    await operator(image),
    ...((await hasOtherCore(client)) ? [] : [core(image)]),
    sharedVSphere(surroundings),
    vcenterPart(image, simulator),
    identityTenant(surroundings),
    ...instanceTenant(surroundings),
    ...groupTenant(surroundings),
    ...nestedTenant(surroundings),
  ];
}
