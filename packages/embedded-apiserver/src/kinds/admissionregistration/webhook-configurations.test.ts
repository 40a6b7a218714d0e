import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { MutatingWebhookConfiguration } from "@rookery/api";
import { deepCopy, invalidError } from "@rookery/kube";
import { goodWebhook, webhookRows } from "../../../test/webhook-rows.ts";
import { mutatingWebhookConfigurationKind as kind } from "./webhook-configurations.ts";

/** What kube-apiserver 1.34 said; the integration test asks it again. */
const { webhook: answers } = JSON.parse(
  readFileSync(new URL("../../../test/testdata/verdicts.json", import.meta.url), "utf8"),
) as { webhook: Readonly<Record<string, unknown>> };

function verdictOf(webhook: object): object {
  const name = "rows.rookery.example.com";
  const configuration: MutatingWebhookConfiguration = deepCopy({ webhooks: [webhook] });
  kind.defaults?.(configuration);
  const errors = kind.validate?.(configuration) ?? [];
  if (errors.length > 0) return { refused: invalidError(kind, name, errors).message };
  return { spec: configuration.webhooks };
}

describe("webhooks are judged as by kube-apiserver", () => {
  for (const [name, change] of Object.entries(webhookRows)) {
    it(name, () => assert.deepEqual(verdictOf({ ...goodWebhook(), ...change }), answers[name]));
  }
});
