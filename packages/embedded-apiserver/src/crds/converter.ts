import { type KubeObject, StatusError, statusError } from "@rookery/kube";
import { ConversionFailure, WebhookCallError } from "../errors.ts";
import type { WebhookPoster } from "../webhooks/webhook-context.ts";
import { completeObject } from "./complete-object.ts";
import { conversionReview, convertedObjects } from "./conversion-review.ts";
import { checkedConversion, kindOf } from "./converted-object.ts";
import { apiVersionOf, type Crd, schemaOf, versionsOf } from "./crd.ts";

const timeoutSeconds = 30;

/** Turns objects of a custom kind from one of its versions into another. */
export class CrdConverter {
  readonly #crd: Crd;
  readonly #clients: WebhookPoster;

  constructor(crd: Crd, clients: WebhookPoster) {
    this.#crd = crd;
    this.#clients = clients;
  }

  /**
   * In their order; what has the version already stays as it is. Throws what clients are told where
   * it fails: an internal error, in the words of kube-apiserver.
   */
  async convert(objects: readonly KubeObject[], apiVersion: string): Promise<KubeObject[]> {
    try {
      const target = this.#versionOf(apiVersion);
      const others = objects.filter((object) => object.apiVersion !== apiVersion);
      for (const object of others) this.#versionOf(object.apiVersion, "from");
      const converted = await this.#convertAll(others, apiVersion);
      const complete = converted.map((object) => completeObject(object, schemaOf(target)));
      const rest = complete.values();
      return objects.map((object) =>
        object.apiVersion === apiVersion ? object : (rest.next().value ?? object),
      );
    } catch (error) {
      if (!(error instanceof ConversionFailure)) throw error;
      throw statusError({ code: 500, reason: "", message: error.message }, { cause: error });
    }
  }

  #versionOf(apiVersion: string, direction = "to") {
    const found = versionsOf(this.#crd).find(
      (version) => apiVersionOf(this.#crd, version) === apiVersion,
    );
    if (found) return found;
    const problem = `request to convert CR ${direction} an invalid group/version: ${apiVersion}`;
    throw new ConversionFailure(problem);
  }

  async #convertAll(objects: readonly KubeObject[], apiVersion: string): Promise<KubeObject[]> {
    const [first] = objects;
    const { strategy, webhook } = this.#crd.spec?.conversion ?? {};
    if (!first) return [];
    if (strategy !== "Webhook") return objects.map((object) => ({ ...object, apiVersion }));
    const versions = webhook?.conversionReviewVersions ?? [];
    const { review, ...asked } = conversionReview(versions, objects, apiVersion);
    const about = `conversion webhook for ${kindOf(first)}`;
    const given = await this.#ask(review, about, asked);
    if (given.length !== objects.length) {
      const counts = `returned ${given.length} objects, expected ${objects.length}`;
      throw new ConversionFailure(`${about} ${counts}`);
    }
    return objects.map((object, index) => checkedConversion(object, given[index], apiVersion));
  }

  async #ask(
    body: object,
    about: string,
    asked: { readonly uid: string; readonly version: "v1" | "v1beta1" },
  ): Promise<readonly unknown[]> {
    const config = this.#crd.spec?.conversion?.webhook?.clientConfig ?? {};
    const { signal } = new AbortController();
    try {
      const answer = await this.#clients.post({ config, body, timeoutSeconds, signal });
      return convertedObjects(answer, asked);
    } catch (error) {
      const isFailure =
        error instanceof WebhookCallError ||
        error instanceof ConversionFailure ||
        error instanceof StatusError;
      if (!isFailure) throw error;
      throw new ConversionFailure(`${about} failed: ${error.message}`, { cause: error });
    }
  }
}
