import { type Client, getOptional } from "@rookery/client";
import {
  type Component,
  type ComponentKey,
  certManagerNeeds,
  installStages,
  isCertManagerObject,
  withCaBundle,
} from "@rookery/components";
import { createCertificateAuthority } from "@rookery/pki";
import { waitFor } from "@rookery/testing";

/** Does with components what their order and their keys are for, as whoever the client is. */
export class Applier {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async apply(component: Component, dryRun = false): Promise<Component> {
    const resource = await this.#client.kind<Component>(component);
    return resource.apply(component, { fieldManager: "rookery-components", force: true, dryRun });
  }

  /** Stage by stage, each object first as a dry run. */
  async install(components: readonly Component[]): Promise<void> {
    for (const { stage, components: members } of installStages(components)) {
      for (const component of members) {
        await this.apply(component, true);
        await this.apply(component);
      }
      if (stage === "crds") await Promise.all(members.map((crd) => this.#established(crd)));
    }
  }

  async remove(keys: readonly ComponentKey[], options: { dryRun?: boolean } = {}): Promise<void> {
    for (const { group, version, kind, name, namespace } of keys) {
      const resource = await this.#client.kind({ group, version, kind });
      await resource.delete({ name, ...(namespace && { namespace }) }, options);
    }
  }

  async isThere(key: ComponentKey): Promise<boolean> {
    return (await this.#find(key)) !== undefined;
  }

  /**
   * Whether it is there and not on its way out. A CRD whose versions changed a moment ago goes slowly:
   * the API server cannot list its objects while it sets their storage up anew, and waits ever longer.
   */
  async isStaying(key: ComponentKey): Promise<boolean> {
    const found = await this.#find(key);
    return found !== undefined && found.metadata.deletionTimestamp === undefined;
  }

  async #find({ group, version, kind, name, namespace }: ComponentKey) {
    const resource = await this.#client.kind<Component>({ group, version, kind });
    return getOptional(resource, { name, ...(namespace && { namespace }) });
  }

  async #established(crd: Component): Promise<void> {
    const resource = await this.#client.kind<Component>(crd);
    const { name = "" } = crd.metadata;
    await waitFor(
      async () => {
        const { status } = await resource.get({ name });
        const { conditions = [] } = Object(status) as {
          conditions?: { type: string; status: string }[];
        };
        return conditions.some((one) => one.type === "Established" && one.status === "True");
      },
      { what: `${name} to be established`, timeout: 300_000 },
    );
  }
}

/** Components with what cert-manager would do for them: it is not installed in the tests. */
export async function withCertificates(
  components: readonly Component[],
): Promise<readonly Component[]> {
  const { certificates } = certManagerNeeds(components);
  const authority = await createCertificateAuthority({ commonName: "webhooks" });
  const secrets = await Promise.all(
    certificates.map(async ({ secretName, namespace, dnsNames }): Promise<Component> => {
      const [commonName = ""] = dnsNames;
      const leaf = await authority.issue({ commonName, dnsNames, usages: ["server"] });
      const stringData = { "tls.crt": leaf.certificate, "tls.key": leaf.key };
      const metadata = { name: secretName, namespace };
      return { apiVersion: "v1", kind: "Secret", type: "kubernetes.io/tls", metadata, stringData };
    }),
  );
  const injected = new Set(
    certificates.flatMap((one) => one.injectedInto.map(({ kind, name }) => `${kind} ${name}`)),
  );
  const own = components.filter((component) => !isCertManagerObject(component));
  return [...own, ...secrets].map((component) =>
    injected.has(`${component.kind} ${component.metadata.name}`)
      ? withCaBundle(component, authority.certificate)
      : component,
  );
}
