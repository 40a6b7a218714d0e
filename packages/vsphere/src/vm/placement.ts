import type { VSphereVM } from "@rookery/api";
import { PlacementError } from "../errors.ts";
import type { VCenter } from "../vim/connect.ts";
import { findByInventoryPath, findVirtualMachineByUuid, listObjects } from "../vim/inventory.ts";
import type { ManagedObjectReference } from "../vim/managed-object.ts";
import { readProperties } from "../vim/properties.ts";
import { referenceOf, textOf } from "../vim/xml-reader.ts";

type Spec = VSphereVM["spec"];

/** The template of a virtual machine, and the objects that it is placed in. */
export interface Placement {
  readonly template: ManagedObjectReference;
  readonly folder: ManagedObjectReference;
  readonly pool: ManagedObjectReference;
  readonly datastore?: ManagedObjectReference;
}

interface Datacenter {
  readonly object: ManagedObjectReference;
  readonly path: string;
}

interface Kind {
  /** The folder of the datacenter with the objects of the kind. */
  readonly root: "vm" | "host" | "datastore" | "network";
  readonly type: string;
  /** The field of the spec. */
  readonly field: keyof Spec & string;
}

const kinds = {
  template: { root: "vm", type: "VirtualMachine", field: "template" },
  folder: { root: "vm", type: "Folder", field: "folder" },
  pool: { root: "host", type: "ResourcePool", field: "resourcePool" },
  datastore: { root: "datastore", type: "Datastore", field: "datastore" },
  network: { root: "network", type: "Network", field: "network" },
} as const satisfies Record<string, Kind>;

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Finds the objects that a spec names: by inventory path if the name starts with "/", else below the folder of the kind,
 * else by the name alone if it is unique. Errors: PlacementError.
 */
export class Inventory {
  readonly #vcenter: VCenter;
  readonly #datacenter: Datacenter;

  static async of(vcenter: VCenter, spec: Spec): Promise<Inventory> {
    return new Inventory(vcenter, await findDatacenter(vcenter, spec.datacenter));
  }

  private constructor(vcenter: VCenter, datacenter: Datacenter) {
    this.#vcenter = vcenter;
    this.#datacenter = datacenter;
  }

  async place(spec: Spec): Promise<Placement> {
    const { folder, resourcePool, datastore } = spec;
    return {
      template: await this.#template(spec.template),
      folder: folder ? await this.#find(kinds.folder, folder) : await this.#vmFolder(),
      pool: resourcePool ? await this.#find(kinds.pool, resourcePool) : await this.#onlyPool(),
      ...(datastore && { datastore: await this.#find(kinds.datastore, datastore) }),
    };
  }

  network(name: string): Promise<ManagedObjectReference> {
    return this.#find(kinds.network, name);
  }

  async #template(name: string): Promise<ManagedObjectReference> {
    if (!uuidPattern.test(name)) return this.#find(kinds.template, name);
    const { object: datacenter } = this.#datacenter;
    for (const kind of ["bios", "instance"] as const) {
      const found = await findVirtualMachineByUuid(this.#vcenter, { uuid: name, kind, datacenter });
      if (found) return found;
    }
    throw new PlacementError("template", name, "no virtual machine has this UUID");
  }

  async #find(kind: Kind, name: string): Promise<ManagedObjectReference> {
    const path = name.startsWith("/") ? name : `${this.#datacenter.path}/${kind.root}/${name}`;
    const found = await findByInventoryPath(this.#vcenter, path);
    if (found) return found;
    return this.#findByName(kind, name);
  }

  async #findByName({ type, field }: Kind, name: string): Promise<ManagedObjectReference> {
    const container = this.#datacenter.object;
    const all = await listObjects(this.#vcenter, { type, paths: ["name"], container });
    const [found, ...more] = all.filter(
      ({ properties }) => textOf(properties.get("name")) === name,
    );
    if (found && more.length === 0) return found.object;
    const why = found ? `${more.length + 1} have this name; give the path` : "there is none";
    throw new PlacementError(field, name, why);
  }

  async #vmFolder(): Promise<ManagedObjectReference> {
    const read = await readProperties(this.#vcenter, this.#datacenter.object, ["vmFolder"]);
    const folder = referenceOf(read.get("vmFolder"));
    if (!folder) throw new PlacementError("folder", "", "the datacenter has none");
    return folder;
  }

  async #onlyPool(): Promise<ManagedObjectReference> {
    const container = this.#datacenter.object;
    const options = { type: "ComputeResource", paths: ["resourcePool"], container };
    const [found, ...more] = await listObjects(this.#vcenter, options);
    const pool = referenceOf(found?.properties.get("resourcePool"));
    if (pool && more.length === 0) return pool;
    throw new PlacementError("resourcePool", "", `there are ${more.length + 1}; name one`);
  }
}

async function findDatacenter(vcenter: VCenter, name: string | undefined): Promise<Datacenter> {
  const all = await listObjects(vcenter, { type: "Datacenter", paths: ["name"] });
  const named = all.map(({ object, properties }) => ({
    object,
    path: `/${textOf(properties.get("name")) ?? ""}`,
  }));
  if (name?.startsWith("/")) {
    const object = await findByInventoryPath(vcenter, name);
    if (object) return { object, path: name };
  }
  const [found, ...more] = name ? named.filter(({ path }) => path === `/${name}`) : named;
  if (found && more.length === 0) return found;
  const why = found ? `there are ${more.length + 1}; name one by its path` : "there is none";
  throw new PlacementError("datacenter", name ?? "", why);
}
