import type { Row, StoredObject } from "../../kind-differential.ts";
import { coreKind } from "../core-kind.ts";
import { RandomObjects } from "../random-object.ts";

const count = 30;

/** Objects with anything in them: every rule of a kind is broken by one of them. */
export function randomRows(name: string): Readonly<Record<string, Row>> {
  const { goType } = coreKind(name);
  const rows = Array.from({ length: count }, (_, i) => {
    const {
      metadata: _metadata,
      apiVersion: _version,
      kind: _kind,
      ...object
    } = new RandomObjects((i + 1) * 7919).objectOf(goType) as StoredObject;
    return [`anything (${i + 1})`, { object: name === "Pod" ? admitted(object) : object }];
  });
  return Object.fromEntries(rows);
}

/** Without what admission plugins look at, which come before validation. */
function admitted({ spec }: StoredObject): object {
  const {
    serviceAccount: _,
    priority: __,
    priorityClassName: ___,
    runtimeClassName: ____,
    preemptionPolicy: _____,
    overhead: ______,
    ...rest
  } = spec;
  return {
    spec: { ...rest, serviceAccountName: "default", automountServiceAccountToken: false },
  };
}
