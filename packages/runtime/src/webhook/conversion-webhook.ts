import type { Handler } from "@rookery/http";
import {
  formatGroupKind,
  formatObjectKey,
  type GroupKind,
  groupVersionKindOf,
  isRecord,
  type KubeObject,
  objectKeyOf,
  parseApiVersion,
} from "@rookery/kube";
import { ConversionError } from "../errors.ts";
import { jsonResponse, ReviewError, type ReviewFormat, readReview } from "./review-request.ts";
import { conversionPath, type Webhook, type WebhookEnvironment } from "./webhook.ts";

/**
 * Converts an object to another version of its kind. Of the metadata only labels and annotations may change. Errors:
 * ConversionError, whose message the user sees.
 */
type Converter = (object: KubeObject, desiredVersion: string) => KubeObject | Promise<KubeObject>;

/** The conversion of a kind. */
export interface Conversion extends GroupKind {
  readonly convert: Converter;
}

/** Lists are converted as a whole, and the caller decides on their length. */
const format: ReviewFormat = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "ConversionReview",
  limit: 256 * 1024 * 1024,
};

/** A webhook for the conversion of CustomResourceDefinitions, one for all kinds. */
export function conversionWebhook(
  conversions: readonly Conversion[],
  path = conversionPath,
): Webhook {
  const converters = new Map(
    conversions.map((conversion) => [formatGroupKind(conversion), conversion.convert]),
  );
  return {
    path,
    kind: "conversion",
    createHandler: (environment) => createConversionHandler(converters, environment),
  };
}

type Converters = ReadonlyMap<string, Converter>;

function createConversionHandler(converters: Converters, environment: WebhookEnvironment): Handler {
  return async (request) => {
    try {
      const review = await readReview(request, format);
      return jsonResponse(conversionReviewOf(review.uid, await answer(review)));
    } catch (error) {
      if (!(error instanceof ReviewError)) throw error;
      environment.logger.error(error, "Bad conversion review");
      return error.response;
    }
  };

  async function answer(review: Readonly<Record<string, unknown>>): Promise<object> {
    try {
      const convertedObjects = await convertAll(review, converters);
      return { convertedObjects, result: { status: "Success" } };
    } catch (error) {
      environment.logger.error(error, "Conversion failed", { requestID: review.uid });
      if (error instanceof ConversionError) return failure(error.message);
      environment.onPanic();
      return failure("the conversion webhook failed; its log says why");
    }
  }
}

async function convertAll(
  review: Readonly<Record<string, unknown>>,
  converters: Converters,
): Promise<KubeObject[]> {
  const { desiredAPIVersion, objects } = review;
  if (typeof desiredAPIVersion !== "string" || !Array.isArray(objects)) {
    throw new ConversionError("the request", "it has no desiredAPIVersion, or no objects");
  }
  const converted: KubeObject[] = [];
  for (const object of objects) {
    if (!isKubeObject(object)) throw new ConversionError("an object", "it has no kind or metadata");
    converted.push(await convertOne(object, desiredAPIVersion, converters));
  }
  return converted;
}

async function convertOne(
  object: KubeObject,
  desiredApiVersion: string,
  converters: Converters,
): Promise<KubeObject> {
  const source = groupVersionKindOf(object);
  const target = parseApiVersion(desiredApiVersion);
  const what = `${object.kind} ${formatObjectKey(objectKeyOf(object))} to ${desiredApiVersion}`;
  if (source.group !== target.group) {
    throw new ConversionError(what, `it is of the group ${source.group}`);
  }
  if (source.version === target.version) return object;
  const convert = converters.get(formatGroupKind(source));
  if (!convert) throw new ConversionError(what, "nothing here converts this kind");
  const { kind, metadata } = object;
  const converted = await convert(object, target.version);
  return {
    ...converted,
    apiVersion: desiredApiVersion,
    kind,
    metadata: converted.metadata ?? metadata,
  };
}

function isKubeObject(value: unknown): value is KubeObject {
  if (!isRecord(value)) return false;
  const { apiVersion, kind, metadata } = value;
  return typeof apiVersion === "string" && typeof kind === "string" && isRecord(metadata);
}

function failure(message: string): object {
  return { convertedObjects: [], result: { status: "Failure", message } };
}

function conversionReviewOf(uid: string, response: object): object {
  const { apiVersion, kind } = format;
  return { apiVersion, kind, response: { uid, ...response } };
}
