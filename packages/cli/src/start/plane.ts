import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { renderOperator } from "@rookery/operator";
import { findCore } from "./find-core.ts";
import { lightStorage } from "./light-storage.ts";
import { milestone, type Part } from "./part.ts";
import { core } from "./providers.ts";
import type { Simulator } from "./simulator.ts";
import {
  groupTenant,
  identityTenant,
  instanceTenant,
  nestedTenant,
  type Surroundings,
  sharedVSphere,
  tenants,
  vsphereTenants,
} from "./tenants.ts";
import { untilDone } from "./until-done.ts";
import { reserveVCenter, vcenterPart } from "./vcenter.ts";

export interface PlaneOptions {
  readonly client: Client;
  /** The image of Rookery, of which all its pods are. */
  readonly image: string;
  readonly simulator: Simulator;
  /** The core of a cluster that has none; Rookery's own where absent. */
  readonly newCore?: (() => Promise<Part>) | undefined;
  /** Ends the attempts to read and reserve what the parts name; the promise is then rejected. */
  readonly signal: AbortSignal;
  /** Is called with what could not be read or reserved, which is tried again. */
  readonly onFailure: (why: string) => void;
}

/** Everything that is brought up, with a tenant on each rung of the ladder. */
export async function planeParts(options: PlaneOptions): Promise<readonly Part[]> {
  const { client, image, simulator } = options;
  const vcenter = await untilDone(() => reserveVCenter(client, vsphereTenants), options);
  const { program, doing } = simulator;
  const missing = program.then((found) => found.missing && `no vCenter: ${found.missing}`);
  const place = { namespace: tenants.nested, name: tenants.nested };
  const storage = await untilDone(() => lightStorage(client, place), options);
  const surroundings: Surroundings = {
    image,
    vcenter,
    missing,
    storage,
    preparing: () => `the vCenter is being made: ${doing()}`,
  };
  return [
    await operator(image),
    ...(await coreParts(options)),
    sharedVSphere(surroundings),
    vcenterPart(image, simulator),
    identityTenant(surroundings),
    ...instanceTenant(surroundings),
    ...groupTenant(surroundings),
    ...nestedTenant(surroundings),
  ];
}

/** One that is there stays as it is, and is waited for; Rookery's own is applied again, as all else is. */
async function coreParts(options: PlaneOptions): Promise<readonly Part[]> {
  const { client, image, newCore } = options;
  const { is, declared } = await untilDone(() => findCore(client), options);
  if (is === "none" && newCore) return [await newCore()];
  if (is !== "other") return [core(image)];
  return declared.map((one) => ({
    name: "core",
    what: `${one.metadata.name}, which was there before`,
    objects: [],
    ready: [milestone(one, "Ready")],
  }));
}

/** The operator, with one pod: there is nobody to take over on one machine. */
async function operator(image: string): Promise<Part> {
  const objects = (await renderOperator({ image, replicas: 1 })) as readonly KubeObject[];
  return {
    name: "operator",
    what: "installs providers that are declared as objects",
    objects,
    ready: objects
      .filter(({ kind }) => kind === "Deployment")
      .map((deployment) => milestone(deployment, "Available")),
  };
}
