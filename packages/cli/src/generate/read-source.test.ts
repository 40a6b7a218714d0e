import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Downloader } from "@rookery/components";
import type { CommandIo } from "../command.ts";
import { readSource } from "./read-source.ts";

const io: CommandIo = {
  write: () => {},
  writeError: () => {},
  readInput: async () => "typed",
  env: {},
};

/** What is asked for, instead of what is there. */
const downloader = {
  text: async ({ url, authorization }: { url: URL; authorization?: string }) =>
    `${url} ${authorization ?? "nobody"}`,
} as unknown as Downloader;

const read = (from: string) =>
  readSource(from, {
    io,
    sources: { downloader, variable: (name) => (name === "GITHUB_TOKEN" ? "t" : "") },
  });

describe("a template is read", () => {
  const rows: Record<string, [from: string, text: string]> = {
    "from the input": ["-", "typed"],
    "from any server": ["https://example.com/a.yaml", "https://example.com/a.yaml nobody"],
    "from a branch on GitHub, with the token": [
      "https://github.com/o/r/blob/main/a/b.yaml",
      "https://raw.githubusercontent.com/o/r/main/a/b.yaml Bearer t",
    ],
    "from a release on GitHub": [
      "https://github.com/o/r/releases/download/v1/b.yaml",
      "https://github.com/o/r/releases/download/v1/b.yaml Bearer t",
    ],
  };
  for (const [name, [from, text]] of Object.entries(rows)) {
    it(name, async () => assert.equal(await read(from), text));
  }

  const refused: Record<string, [from: string, message: RegExp]> = {
    "from a page of GitHub": ["https://github.com/o/r", /is no file: a file on GitHub is/],
    "without TLS": ["http://example.com/a.yaml", /only https, files and - are taken/],
    "from a file that is not there": ["/nowhere/a.yaml", /there is no such file/],
    "from a folder": ["/", /it is a folder/],
  };
  for (const [name, [from, message]] of Object.entries(refused)) {
    it(`not ${name}`, () => assert.rejects(read(from), { code: "Template", message }));
  }
});
