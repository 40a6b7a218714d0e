import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { defineError } from "./define-error.ts";

class UsageError extends defineError("Usage") {}

class StoppedError extends defineError("Stopped", () => "could not go on: the manager stops") {}

type FileReason = "Missing" | "Unreadable";

class FileError extends defineError(
  "File",
  (reason: FileReason, file: string, options?: ErrorOptions) => ({
    message: `could not read ${file}: ${reason}`,
    reason,
    file,
    ...options,
  }),
) {
  get isRetryable(): boolean {
    return this.reason === "Unreadable";
  }

  static missing(file: string): FileError {
    return new FileError("Missing", file);
  }
}

class ListenError extends defineError((code: "AddressInUse" | "ListenFailed", port: number) => ({
  code,
  message: `could not listen on ${port}`,
  port,
})) {}

describe("defineError", () => {
  it("makes a class whose errors have its name and its code", () => {
    const error = new UsageError("could not read the flags: there is none");
    assert.ok(error instanceof UsageError);
    assert.ok(error instanceof Error);
    assert.equal(error.name, "UsageError");
    assert.equal(error.code satisfies "Usage", "Usage");
    assert.equal(error.message, "could not read the flags: there is none");
    assert.equal(new StoppedError().message, "could not go on: the manager stops");
  });

  it("keeps the fields and the cause that belong to the message", () => {
    const cause = new TypeError("no");
    const error = new FileError("Missing", "a.yaml", { cause });
    assert.equal(error.reason satisfies FileReason, "Missing");
    assert.equal(error.file, "a.yaml");
    assert.equal(error.cause, cause);
    assert.deepEqual(Object.keys(error).sort(), ["code", "file", "name", "reason"]);
  });

  it("has no cause where none is given", () => {
    assert.equal("cause" in FileError.missing("a.yaml"), false);
    assert.equal("cause" in new UsageError("no", { cause: undefined }), true);
  });

  it("takes getters and factories in the class", () => {
    assert.equal(FileError.missing("a.yaml").isRetryable, false);
    assert.equal(new FileError("Unreadable", "a.yaml").isRetryable, true);
  });

  it("takes the code from the fields where a class has several", () => {
    const error = new ListenError("AddressInUse", 80);
    assert.equal(error.code satisfies "AddressInUse" | "ListenFailed", "AddressInUse");
    assert.equal(error.name, "ListenError");
  });

  it("is shown with its name and where it was thrown", () => {
    const text = inspect(new UsageError("could not read the flags"));
    assert.match(text, /^UsageError: could not read the flags\n/);
    assert.match(text, /define-error\.test\.ts/);
  });
});
