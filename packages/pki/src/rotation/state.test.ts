import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCertificateAuthority } from "../certificate-authority.ts";
import {
  emptyRotationState,
  type RotationState,
  rotationStateFromSecretData,
  rotationStateToSecretData,
  type SecretData,
} from "./state.ts";

describe("the Secret of a serving certificate", () => {
  test("holds every state and gives it back", async () => {
    const { active, nextAuthority, formerAuthorities } = await fullState();
    const states: RotationState[] = [
      emptyRotationState,
      { nextAuthority, formerAuthorities: [] },
      { active, formerAuthorities: [] },
      { active, nextAuthority, formerAuthorities },
    ];
    for (const state of states) {
      assert.deepEqual(rotationStateFromSecretData(rotationStateToSecretData(state)), state);
    }
  });

  test("is one that others can mount", async () => {
    const state = await fullState();
    const data = rotationStateToSecretData(state);
    assert.equal(text(data, "tls.crt"), state.active.leaf.certificate);
    assert.equal(text(data, "tls.key"), state.active.leaf.key);
    assert.equal(text(data, "ca.crt").match(/BEGIN CERTIFICATE/g)?.length, 4);
  });

  test("is refused where it is damaged, without a word of its keys", async () => {
    const data = rotationStateToSecretData(await fullState());
    const damages: Record<string, SecretData> = {
      "tls.crt and tls.key can't be read": { ...data, "tls.crt": "AAAA" },
      "tls.crt and tls.key don't belong together": { ...data, "tls.key": data["ca.key"] ?? "" },
      "ca.crt and ca.key don't belong together": { ...data, "ca.crt": data["next-ca.crt"] ?? "" },
      "ca.crt and ca.key can't be read": { ...data, "ca.key": "" },
      "next-ca.crt and next-ca.key can't be read": { ...data, "next-ca.key": "" },
    };
    for (const [why, damaged] of Object.entries(damages)) {
      assert.throws(() => rotationStateFromSecretData(damaged), {
        code: "InvalidState",
        message: `could not read the serving certificate's Secret: ${why}`,
      });
    }
  });
});

async function fullState() {
  const [first, second, third, fourth] = await Promise.all(
    ["1", "2", "3", "4"].map((commonName) => createCertificateAuthority({ commonName })),
  );
  assert.ok(first && second && third && fourth);
  const leaf = await first.issue({ commonName: "a", dnsNames: ["a"], usages: ["server"] });
  const pair = ({ certificate, key }: typeof first) => ({ certificate, key });
  return {
    active: { authority: pair(first), leaf },
    nextAuthority: pair(second),
    formerAuthorities: [third.certificate, fourth.certificate],
  } satisfies RotationState;
}

function text(data: SecretData, name: string): string {
  return Buffer.from(data[name] ?? "", "base64").toString();
}
