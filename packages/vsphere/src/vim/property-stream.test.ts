import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { VimFaultError } from "../errors.ts";
import type { VCenter } from "./connect.ts";
import { PropertyStream } from "./property-stream.ts";
import type { Call } from "./soap.ts";
import { textOf, type XmlNode } from "./xml-reader.ts";

const object = { type: "Task", value: "task-1" };

/** A vCenter that knows collectors and filters, and tells of changes when it is asked to. */
class CollectingVCenter {
  readonly #waiting = new Map<string, PromiseWithResolvers<XmlNode | undefined>>();
  readonly #filters = new Map<string, string[]>();
  #made = 0;
  /** Holds up the creation of filters, once. */
  gate: Promise<void> | undefined;

  readonly client = {
    content: { propertyCollector: { type: "PropertyCollector", value: "root" } },
    call: (call: Call) => this.#call(call),
  } as unknown as VCenter;

  get collectors(): number {
    return this.#filters.size;
  }

  /** Tells every filter that has an open call of a value. */
  tell(text: string): void {
    for (const [collector, waiting] of this.#waiting) {
      const filterSet = this.#filters.get(collector)?.map((filter) => ({
        filter: reference("PropertyFilter", filter),
        objectSet: { kind: "modify", changeSet: { name: "p", val: text } },
      }));
      waiting.resolve({ version: text, filterSet: filterSet ?? [] });
    }
  }

  failOpenCalls(): void {
    for (const waiting of this.#waiting.values()) waiting.reject(new Error("cut"));
  }

  async #call({ method, self, signal }: Call): Promise<XmlNode | undefined> {
    this.#made += 1;
    const name = `${method}-${this.#made}`;
    switch (method) {
      case "CreatePropertyCollector":
        this.#filters.set(name, []);
        return reference("PropertyCollector", name);
      case "CreateFilter":
        await this.gate;
        this.#known(self.value).push(name);
        return reference("PropertyFilter", name);
      case "WaitForUpdatesEx":
        return this.#wait(self.value, signal);
      case "DestroyPropertyCollector":
        this.#filters.delete(self.value);
        this.#waiting.get(self.value)?.reject(new VimFaultError(method, "RequestCanceled", ""));
        return undefined;
      case "RetrievePropertiesEx":
        return {
          objects: { obj: reference("Task", "task-1"), propSet: { name: "p", val: "first" } },
        };
      default:
        return undefined;
    }
  }

  #known(collector: string): string[] {
    const filters = this.#filters.get(collector);
    if (filters) return filters;
    throw new VimFaultError("CreateFilter", "ManagedObjectNotFound", collector);
  }

  #wait(collector: string, signal?: AbortSignal): Promise<XmlNode | undefined> {
    this.#known(collector);
    const waiting = Promise.withResolvers<XmlNode | undefined>();
    this.#waiting.set(collector, waiting);
    signal?.addEventListener("abort", () => waiting.reject(signal.reason));
    return waiting.promise.finally(() => this.#waiting.delete(collector));
  }
}

function reference(type: string, value: string): XmlNode {
  return { "@type": type, "#text": value };
}

const listener = () => {
  const heard: (string | undefined)[] = [];
  const ended: Error[] = [];
  const watch = {
    object,
    paths: ["p"],
    onChange: (properties: ReadonlyMap<string, XmlNode>) => heard.push(textOf(properties.get("p"))),
    onEnd: (error: Error) => ended.push(error),
  };
  return { heard, ended, watch };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a stream of properties", () => {
  it("hears who comes while the last goes", async () => {
    const vcenter = new CollectingVCenter();
    const stream = new PropertyStream(vcenter.client);
    const first = await stream.watch(listener().watch);
    const { heard, watch } = listener();
    const [, second] = await Promise.all([first.stop(), stream.watch(watch)]);
    await turn();
    vcenter.tell("changed");
    await turn();
    assert.deepEqual(heard, ["first", "changed"]);
    await second.stop();
    assert.equal(vcenter.collectors, 0);
  });

  it("ends with its call, also for who was about to watch, and hears all who come then", async () => {
    const vcenter = new CollectingVCenter();
    const stream = new PropertyStream(vcenter.client);
    const before = listener();
    await stream.watch(before.watch);
    const held = Promise.withResolvers<void>();
    vcenter.gate = held.promise;
    const about = stream.watch(listener().watch);
    await turn();
    vcenter.failOpenCalls();
    await turn();
    assert.equal(before.ended.length, 1);
    held.resolve();
    await assert.rejects(about, /cut/);

    const after = [listener(), listener()];
    for (const { watch } of after) await stream.watch(watch);
    await turn();
    vcenter.tell("changed");
    await turn();
    for (const { heard } of after) assert.equal(heard.at(-1), "changed");
    assert.equal(vcenter.collectors, 1);
  });
});
