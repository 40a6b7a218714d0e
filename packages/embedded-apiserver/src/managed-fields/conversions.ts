import type { KubeObject } from "@rookery/kube";
import { VersionConversionError } from "../errors.ts";
import type { MergeSchema } from "./merge-schema.ts";
import type { Conversion, Steps, TypedObject } from "./typed-object.ts";
import { assertMergeable } from "./validate-value.ts";

type Eventual<T> = T | Promise<T>;

export interface VersionOptions {
  /** The merge schema of a version; undefined for an unknown version. */
  readonly schema: (apiVersion: string) => MergeSchema | undefined;
  /** Needed only for several versions. */
  readonly convert?: (object: KubeObject, apiVersion: string) => Eventual<KubeObject>;
}

/** Runs steps to their end: synchronously unless a conversion is asynchronous. */
export function run<T>(steps: Steps<T>, options: VersionOptions): Eventual<T> {
  let step = steps.next();
  while (!step.done) {
    const converted = convertObject(step.value, options);
    if (converted instanceof Promise) return runLater(steps, converted, options);
    step = steps.next(converted);
  }
  return step.value;
}

async function runLater<T>(
  steps: Steps<T>,
  first: Promise<TypedObject | undefined>,
  options: VersionOptions,
): Promise<T> {
  let step = steps.next(await first);
  while (!step.done) step = steps.next(await convertObject(step.value, options));
  return step.value;
}

function convertObject(
  { object, apiVersion }: Conversion,
  { schema: schemaOf, convert }: VersionOptions,
): Eventual<TypedObject | undefined> {
  const schema = schemaOf(apiVersion);
  if (schema === undefined || convert === undefined) return undefined;
  const failed = (error: unknown): never => {
    throw new VersionConversionError(apiVersion, error);
  };
  try {
    const converted = convert(object, apiVersion);
    if (!(converted instanceof Promise)) return typed(converted, schema);
    return converted.then((each) => typed(each, schema)).catch(failed);
  } catch (error) {
    return failed(error);
  }
}

function typed(object: KubeObject, schema: MergeSchema): TypedObject {
  assertMergeable(schema, object, { allowsRepeated: false });
  return { object, schema };
}
