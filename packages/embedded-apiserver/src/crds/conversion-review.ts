import { randomUUID } from "node:crypto";
import type { KubeObject, Status } from "@rookery/kube";
import { ConversionFailure } from "../errors.ts";

type ReviewVersion = "v1" | "v1beta1";

/** The question to a conversion webhook, in the first version that both sides know. */
export function conversionReview(
  versions: readonly string[],
  objects: readonly KubeObject[],
  desiredAPIVersion: string,
): { readonly uid: string; readonly version: ReviewVersion; readonly review: object } {
  const version = versions.find((each) => each === "v1" || each === "v1beta1");
  if (version === undefined) throw new ConversionFailure("no supported conversion review versions");
  const uid = randomUUID();
  const response = { uid: "", convertedObjects: null, result: { metadata: {} } };
  const review = {
    kind: "ConversionReview",
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion, objects },
    response,
  };
  return { uid, version: version as ReviewVersion, review };
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

/** The objects that a webhook answers with. Throws where it failed or answers something else. */
export function convertedObjects(
  answer: unknown,
  asked: { readonly uid: string; readonly version: ReviewVersion },
): readonly unknown[] {
  const review = (answer ?? {}) as RawReview;
  if (asked.version === "v1") assertReview(review);
  const { response } = review;
  if (!response) throw new ConversionFailure("no response provided");
  if (asked.version === "v1" && response.uid !== asked.uid) {
    const got = JSON.stringify(response.uid ?? "");
    throw new ConversionFailure(`expected response.uid="${asked.uid}", got ${got}`);
  }
  const { status = "", message } = response.result ?? {};
  if (status !== "Success") {
    throw new ConversionFailure(message || `response.result.status was '${status}', not 'Success'`);
  }
  return response.convertedObjects ?? [];
}

function assertReview({ apiVersion = "", kind = "" }: RawReview): void {
  const expected = "apiextensions.k8s.io/v1";
  if (apiVersion === expected && kind === "ConversionReview") return;
  const got = `${apiVersion.includes("/") ? "" : "/"}${apiVersion}, Kind=${kind}`;
  throw new ConversionFailure(
    `expected webhook response of ${expected}, Kind=ConversionReview, got ${got}`,
  );
}
