import { randomUUID } from "node:crypto";
import { type KubeObject, type Status, StatusError, statusError } from "@rookery/kube";
import { ConversionFailure, WebhookCallError } from "../errors.ts";
import {
  kindProblem,
  type ReviewVersion,
  reviewVersionOf,
  uidProblem,
} from "../webhooks/admission-review.ts";
import type { WebhookPoster } from "../webhooks/webhook-context.ts";
import { checkedConversion, kindOf } from "./converted-object.ts";
import { apiVersionOf, type Crd, completeObject, schemaOf, versionsOf } from "./crd.ts";

const timeoutSeconds = 30;

/** Converts objects of a custom kind between versions. */
export class CrdConverter {
  readonly #crd: Crd;
  readonly #clients: WebhookPoster;

  constructor(crd: Crd, clients: WebhookPoster) {
    this.#crd = crd;
    this.#clients = clients;
  }

  /** Converts objects to a version. Throws an internal error with the message of kube-apiserver. */
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
    const { review, ...expected } = conversionReview(versions, objects, apiVersion);
    const about = `conversion webhook for ${kindOf(first)}`;
    const given = await this.#callWebhook(review, about, expected);
    if (given.length !== objects.length) {
      const counts = `returned ${given.length} objects, expected ${objects.length}`;
      throw new ConversionFailure(`${about} ${counts}`);
    }
    return objects.map((object, index) => checkedConversion(object, given[index], apiVersion));
  }

  async #callWebhook(
    body: object,
    about: string,
    expected: { readonly uid: string; readonly version: ReviewVersion },
  ): Promise<readonly unknown[]> {
    const config = this.#crd.spec?.conversion?.webhook?.clientConfig ?? {};
    const { signal } = new AbortController();
    try {
      const answer = await this.#clients.post({ config, body, timeoutSeconds, signal });
      return convertedObjects(answer, expected);
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

/** The request to a conversion webhook, in the first version that both sides support. */
export function conversionReview(
  versions: readonly string[],
  objects: readonly KubeObject[],
  desiredAPIVersion: string,
): { readonly uid: string; readonly version: ReviewVersion; readonly review: object } {
  const version = reviewVersionOf(versions);
  if (version === undefined) throw new ConversionFailure("no supported conversion review versions");
  const uid = randomUUID();
  const response = { uid: "", convertedObjects: null, result: { metadata: {} } };
  const review = {
    kind: "ConversionReview",
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion, objects },
    response,
  };
  return { uid, version, review };
}

interface RawReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly response?: {
    readonly uid?: string;
    readonly convertedObjects?: readonly unknown[] | null;
    readonly result?: Partial<Status>;
  } | null;
}

/** The objects in the response of a webhook. Throws a ConversionFailure for any other response. */
export function convertedObjects(
  answer: unknown,
  expected: { readonly uid: string; readonly version: ReviewVersion },
): readonly unknown[] {
  const review = (answer ?? {}) as RawReview;
  const { response } = review;
  const isV1 = expected.version === "v1";
  failOn(isV1 && kindProblem(review, "apiextensions.k8s.io", "ConversionReview"));
  if (!response) throw new ConversionFailure("no response provided");
  failOn(isV1 && uidProblem(response.uid, expected.uid));
  const { status = "", message } = response.result ?? {};
  if (status !== "Success") {
    throw new ConversionFailure(message || `response.result.status was '${status}', not 'Success'`);
  }
  return response.convertedObjects ?? [];
}

function failOn(problem: string | false | undefined): void {
  if (problem) throw new ConversionFailure(problem);
}
