import type { VSphereVM } from "@rookery/api";
import { PlacementError } from "../errors.ts";
import type { VCenter } from "../vim/connect.ts";
import type { ManagedObjectReference } from "../vim/managed-object.ts";
import { readProperties } from "../vim/properties.ts";
import { StoragePolicies } from "../vim/storage-policies.ts";
import { childrenOf, referenceOf } from "../vim/xml-reader.ts";

type Spec = VSphereVM["spec"];

/** The storage policy that a spec names; undefined where it names none. Errors: PlacementError. */
export async function storagePolicyId(
  vcenter: VCenter,
  { storagePolicyName: name }: Spec,
): Promise<string | undefined> {
  if (!name) return undefined;
  const policies = await StoragePolicies.of(vcenter);
  const id = await policies.idOf(name);
  if (id === undefined) throw new PlacementError("storagePolicyName", name, "there is none");
  return id;
}

/** The constraints of a placement. */
interface Placing {
  readonly policyId: string;
  readonly pool: ManagedObjectReference;
  /** Selects one of several datastores, always the same for a machine. */
  readonly uid: string;
}

/** A datastore of a pool's hosts that the policy allows. Errors: PlacementError. */
export async function datastoreFor(
  vcenter: VCenter,
  { storagePolicyName = "" }: Spec,
  { policyId, pool, uid }: Placing,
): Promise<ManagedObjectReference> {
  const policies = await StoragePolicies.of(vcenter);
  const allowed = await policies.compatible(policyId, await datastoresOf(vcenter, pool));
  const chosen = allowed[Number.parseInt(uid.slice(-6), 16) % allowed.length] ?? allowed[0];
  if (chosen) return chosen;
  const why = "no datastore of the hosts of the resource pool is compatible with it";
  throw new PlacementError("storagePolicyName", storagePolicyName, why);
}

async function datastoresOf(
  vcenter: VCenter,
  pool: ManagedObjectReference,
): Promise<ManagedObjectReference[]> {
  const owner = referenceOf((await readProperties(vcenter, pool, ["owner"])).get("owner"));
  if (!owner) return [];
  const hosts = await readProperties(vcenter, owner, ["datastore"]);
  const datastores = childrenOf(hosts.get("datastore"), "ManagedObjectReference");
  return datastores.flatMap((one) => referenceOf(one) ?? []);
}
