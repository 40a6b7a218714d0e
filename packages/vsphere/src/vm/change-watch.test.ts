import assert from "node:assert/strict";
import { it } from "node:test";
import { settled } from "@rookery/testing";
import type { PropertyWatch } from "../vim/properties.ts";
import type { PropertyStream } from "../vim/property-stream.ts";
import { ChangeWatch } from "./change-watch.ts";

const change = { object: { type: "Task", value: "t" }, paths: ["info"], isOver: () => true };

it("a session that ends while a watch begins is no error that nobody handles", async (t) => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on("unhandledRejection", note);
  t.after(() => process.off("unhandledRejection", note));
  const stream = {
    watch: async ({ onEnd }: PropertyWatch) => {
      onEnd(new Error("the client is closed"));
      await settled();
      throw new Error("the client is closed");
    },
  };
  const changes = new ChangeWatch(() => {});
  changes.await({ name: "a" }, stream as unknown as PropertyStream, change);
  await settled();
  await settled();
  assert.deepEqual(unhandled, []);
});
