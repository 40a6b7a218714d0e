import { UnexpectedAnswerError } from "../errors.ts";
import type { VCenter } from "./connect.ts";
import type { ManagedObjectReference } from "./managed-object.ts";
import type { Service } from "./soap.ts";
import { childOf, referenceOf, textAt, type XmlNode } from "./xml-reader.ts";
import { data, value } from "./xml-writer.ts";

const service: Service = { path: "/pbm", namespace: "urn:pbm" };
const serviceInstance = { type: "PbmServiceInstance", value: "ServiceInstance" };

/** The service of a vCenter for storage policies. */
export class StoragePolicies {
  readonly #vcenter: VCenter;
  readonly #content: XmlNode | undefined;

  static async of(vcenter: VCenter): Promise<StoragePolicies> {
    const method = "PbmRetrieveServiceContent";
    const content = await vcenter.call({ method, self: serviceInstance, service });
    return new StoragePolicies(vcenter, content);
  }

  private constructor(vcenter: VCenter, content: XmlNode | undefined) {
    this.#vcenter = vcenter;
    this.#content = content;
  }

  /** The identifier of a policy by its name; undefined if there is none. */
  async idOf(name: string): Promise<string | undefined> {
    const self = this.#part("profileManager");
    const resourceType = data("resourceType", [value("resourceType", "STORAGE")]);
    const ids = await this.#call("PbmQueryProfile", self, [
      resourceType,
      value("profileCategory", "REQUIREMENT"),
    ]);
    if (ids.length === 0) return undefined;
    const profileIds = ids.map((id) => profileId("profileIds", textAt(id, "uniqueId") ?? ""));
    const profiles = await this.#call("PbmRetrieveContent", self, profileIds);
    const found = profiles.find((profile) => textAt(profile, "name") === name);
    return textAt(found, "profileId", "uniqueId");
  }

  /** The datastores that a policy allows. */
  async compatible(
    policyId: string,
    datastores: readonly ManagedObjectReference[],
  ): Promise<ManagedObjectReference[]> {
    const hubs = datastores.map(({ type, value: id }) =>
      data("hubsToSearch", [value("hubType", type), value("hubId", id)]),
    );
    const requirement = data(
      "placementSubjectRequirement",
      [profileId("profileId", policyId)],
      "PbmPlacementCapabilityProfileRequirement",
    );
    const self = this.#part("placementSolver");
    const results = await this.#call("PbmCheckRequirements", self, [...hubs, requirement]);
    const allowed = results.filter((result) => childOf(result, "error") === undefined);
    const ids = new Set(allowed.map((result) => textAt(result, "hub", "hubId")));
    return datastores.filter(({ value: id }) => ids.has(id));
  }

  #call(
    method: string,
    self: ManagedObjectReference,
    args: readonly (string | undefined)[],
  ): Promise<readonly XmlNode[]> {
    return this.#vcenter.callForList({ method, self, args, service });
  }

  #part(name: string): ManagedObjectReference {
    const part = referenceOf(childOf(this.#content, name));
    if (part) return part;
    throw new UnexpectedAnswerError("PbmRetrieveServiceContent", `it has no ${name}`);
  }
}

function profileId(name: string, id: string): string {
  return data(name, [value("uniqueId", id)]);
}
