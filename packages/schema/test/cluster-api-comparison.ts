import assert from "node:assert/strict";
import type { CustomResourceDefinition, Kubernetes } from "@rookery/testing";
import { Comparison } from "./ask.ts";
import { type Kind, separateVersions } from "./crd.ts";
import { grow } from "./grow.ts";
import { type Mutation, mutationsOf } from "./mutations.ts";
import type { Request } from "./verdict.ts";

export interface ComparisonOptions {
  /** Which of all changes are tried. */
  readonly isTried: (mutation: Mutation) => boolean;
}

/**
 * Asks a server and this package about objects that are made from the schemas of CRDs, as they are and
 * with one thing wrong: answers have to be the same. Returns how many objects there were.
 */
export async function compareObjects(
  kubernetes: Kubernetes,
  crds: readonly CustomResourceDefinition[],
  { isTried }: ComparisonOptions,
): Promise<number> {
  let count = 0;
  for (const kind of crds.flatMap(separateVersions)) {
    const requests = requestsFor(kind, isTried);
    count += Object.keys(requests).length;
    const differences = await new Comparison(kubernetes, kind).differences(requests);
    assert.deepEqual(differences, [], kind.crd.metadata.name);
  }
  return count;
}

function requestsFor(kind: Kind, isTried: ComparisonOptions["isTried"]): Record<string, Request> {
  const grown = grow(kind, "sample");
  const requests: Record<string, Request> = {
    "a minimal object": { object: grown.minimal, strict: true },
    "an object with everything": { object: grown.object, strict: true },
  };
  for (const [i, object] of grown.refused.entries()) requests[`too much (${i})`] = { object };
  for (const mutation of mutationsOf(grown.object, kind.schema).filter(isTried)) {
    const object = mutation.object();
    requests[mutation.name] = { object };
    if (mutation.unknown) requests[`${mutation.name}, strictly`] = { object, strict: true };
  }
  return requests;
}

/** What is done to the same schema somewhere else is not done again. */
export function eachOnce(): (mutation: Mutation) => boolean {
  const tried = new Set<string>();
  return ({ signature }) => {
    const known = tried.has(signature);
    tried.add(signature);
    return !known;
  };
}

/** Of `eachOnce`, every so-manieth of each sort of change, and of each sort the first. */
export function eachSort(every: number): (mutation: Mutation) => boolean {
  const isNew = eachOnce();
  const counts = new Map<string, number>();
  return (mutation) => {
    if (!isNew(mutation)) return false;
    const count = counts.get(mutation.sort) ?? 0;
    counts.set(mutation.sort, count + 1);
    return count % every === 0;
  };
}
