import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { APIService } from "@rookery/api";
import { deepCopy, invalidError } from "@rookery/kube";
import { type ApiServiceRow, apiServiceRows } from "../../../test/api-service-rows.ts";
import { typedDecoder } from "../../types/typed-decoder.ts";
import { apiServiceKind } from "./api-service.ts";

/** What kube-apiserver 1.34 said; the integration test asks it again. */
const { apiService: answers } = JSON.parse(
  readFileSync(new URL("../../../test/testdata/verdicts.json", import.meta.url), "utf8"),
) as { apiService: Readonly<Record<string, unknown>> };

const kind = apiServiceKind({ now: () => new Date("2026-01-01T00:00:00Z") });
const decode = typedDecoder(kind.goType, (object) => kind.defaults?.(object as APIService));

function verdictOf({ name, spec }: ApiServiceRow): object {
  const { object } = decode({ metadata: { name }, spec } as never);
  const service = deepCopy(object) as APIService;
  kind.prepareForCreate?.(service);
  const errors = kind.validate?.(service) ?? [];
  if (errors.length > 0) return { refused: invalidError(kind, name, errors).message };
  return { spec: service.spec, status: service.status };
}

describe("APIServices are judged as by kube-apiserver", () => {
  for (const [name, row] of Object.entries(apiServiceRows)) {
    it(name, () => assert.deepEqual(verdictOf(row), answers[name]));
  }
});
