import { describe, test } from "node:test";
import { DecodeError } from "@rookery/apiserver";
import { deepFreeze } from "@rookery/kube";
import { coreKind } from "../../../test/kinds/core/core-kind.ts";
import { RandomObjects } from "../../../test/kinds/core/random-object.ts";
import { judgeLocally } from "../../../test/kinds/kind-verdict.ts";

const names = [
  "ConfigMap",
  "Endpoints",
  "Event",
  "Namespace",
  "Node",
  "PersistentVolume",
  "PersistentVolumeClaim",
  "Pod",
  "Secret",
  "Service",
  "ServiceAccount",
];
const runs = 60;

function named(object: object): object {
  return deepFreeze({ ...object, metadata: { name: "a", namespace: "b", resourceVersion: "1" } });
}

/** What is not an answer is thrown: only bodies that are none may do so. */
async function judge(name: string, objects: { object: object; old?: object }): Promise<void> {
  const { object, old } = objects;
  try {
    await judgeLocally(coreKind(name), { object, old, status: false });
    if (coreKind(name).status) await judgeLocally(coreKind(name), { object, old, status: true });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
}

describe("whatever is sent, a kind has an answer", () => {
  for (const name of names) {
    test(`${name}: an object with nothing in it`, () => judge(name, { object: named({}) }));
    test(`${name}: objects with anything in them, new and changed`, async () => {
      const { goType } = coreKind(name);
      for (let seed = 1; seed <= runs; seed++) {
        const random = new RandomObjects(seed);
        const [object, old] = [named(random.objectOf(goType)), named(random.objectOf(goType))];
        await judge(name, { object });
        await judge(name, { object, old });
      }
    });
  }
});
