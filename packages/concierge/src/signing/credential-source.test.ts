import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settled } from "@rookery/testing";
import { SystemNames } from "../authenticators/system-names.ts";
import { CredentialSource } from "./credential-source.ts";
import type { StrategyReport } from "./strategy.ts";

const type = "KubeClusterSigningCertificate";
const good: StrategyReport = { type, status: "Success", reason: "FetchedKey", message: "works" };
const bad: StrategyReport = { type, status: "Error", reason: "CouldNotFetchKey", message: "gone" };
const other: StrategyReport = {
  type: "CertificateSigningRequest",
  status: "Error",
  reason: "Disabled",
  message: "not needed",
};

describe("a source of credentials", () => {
  it("checks its strategy again, sooner where it does not work, until it is stopped", async () => {
    const clock = new FakeClock();
    const answers = [bad, good, good];
    let checks = 0;
    const source = new CredentialSource({
      strategy: {
        recheckMs: 60_000,
        check: async () => answers[checks++] ?? good,
        sign: () => Promise.reject(new Error("unused")),
      },
      others: [other],
      names: new SystemNames([]),
      clock,
    });
    const stop = new AbortController();
    let told = 0;
    source.subscribe(() => {
      told += 1;
    }, stop.signal);
    assert.equal(source.reports, undefined);
    const running = source.start(stop.signal);
    await settled();
    assert.deepEqual(source.reports, [bad, other]);
    await clock.advance(30_000);
    assert.deepEqual(source.reports, [good, other]);
    await clock.advance(59_000);
    assert.equal(checks, 2);
    await clock.advance(1_000);
    assert.equal(checks, 3);
    assert.equal(told, 3);
    stop.abort();
    await running;
    assert.equal(clock.timers, 0);
  });

  it("signs for no user or group of Kubernetes' own, whoever asks", async () => {
    let signed = 0;
    const source = new CredentialSource({
      strategy: {
        recheckMs: 1,
        check: async () => good,
        sign: async () => {
          signed += 1;
          throw new Error("unused");
        },
      },
      others: [],
      names: new SystemNames([]),
      clock: new FakeClock(),
    });
    const { signal } = new AbortController();
    for (const user of [
      { username: "system:admin", groups: [] },
      { username: "pip", groups: ["birds", "system:masters"] },
    ]) {
      await assert.rejects(source.sign(user, signal), { code: "Signing" });
    }
    assert.equal(signed, 0);
  });

  it("ends in the middle of a check", async () => {
    const stop = new AbortController();
    const source = new CredentialSource({
      strategy: {
        recheckMs: 1,
        check: (signal) =>
          new Promise((_, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
          ),
        sign: () => Promise.reject(new Error("unused")),
      },
      others: [],
      names: new SystemNames([]),
      clock: new FakeClock(),
    });
    const running = source.start(stop.signal);
    await settled();
    stop.abort();
    await running;
  });
});
