import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Downloader, FetchError, type FetchReason } from "@rookery/components";
import { type HostileAnswer, startHostileServer, startSilentServer } from "@rookery/testing";

const limits = { milliseconds: 3000 };

const answers: Readonly<Partial<Record<HostileAnswer, FetchReason>>> = {
  "never answers": "TimedOut",
  "drips its answer": "TimedOut",
  "drips its headers": "TimedOut",
  "sends headers without end": "UnexpectedAnswer",
  "declares 240 MB": "TooLarge",
  "sends 240 MB in chunks": "TooLarge",
  "sends 240 MB packed": "TooLarge",
  "redirects to itself": "TooManyRedirects",
};

describe("a source of components", () => {
  for (const [answer, reason] of Object.entries(answers) as [HostileAnswer, FetchReason][]) {
    it(`that ${answer} holds up the operator, or fills its memory`, async () => {
      await using server = await startHostileServer(answer);
      await using downloader = new Downloader({ ca: server.ca, limits });
      const fetched = downloader.get({ url: `https://${server.server}/components.yaml` });
      await assert.rejects(fetched, (error) => {
        assert.ok(error instanceof FetchError);
        assert.equal(error.reason, reason);
        return true;
      });
    });
  }

  it("that never finishes TLS holds up the operator", async () => {
    await using server = await startSilentServer();
    await using downloader = new Downloader({ limits });
    const fetched = downloader.get({ url: `https://${server.server}/components.yaml` });
    await assert.rejects(fetched, FetchError);
  });
});
