import { isAlreadyExists, isNotFound, type KubeObject, type ObjectKey } from "@rookery/kube";
import type { GetOptions } from "./options.ts";
import type { ResourceClient } from "./resource-client.ts";

/** Undefined where the server answers NotFound. */
export function getOptional<T extends KubeObject>(
  resource: Pick<ResourceClient<T>, "get">,
  key: ObjectKey,
  options?: GetOptions,
): Promise<T | undefined> {
  return ignoreNotFound(resource.get(key, options));
}

/** Undefined where the server answers NotFound. */
export function ignoreNotFound<T>(request: Promise<T>): Promise<T | undefined> {
  return ignore(isNotFound, request);
}

/** Undefined where the server answers AlreadyExists. */
export function ignoreAlreadyExists<T>(request: Promise<T>): Promise<T | undefined> {
  return ignore(isAlreadyExists, request);
}

async function ignore<T>(
  isIgnored: (error: unknown) => boolean,
  request: Promise<T>,
): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isIgnored(error)) return undefined;
    throw error;
  }
}
