import assert from "node:assert/strict";
import { it } from "node:test";
import { asCalled, programName } from "./as-called.ts";

it("knows by the name of its file that kubectl has started it", () => {
  for (const file of ["/usr/bin/kubectl-rookery", "/x/kubectl-rookery.cjs", "kubectl-rookery"]) {
    assert.equal(programName(file), "kubectl rookery", file);
  }
  for (const file of ["/usr/bin/rookery", "/x/src/main.ts", "/kubectl-rookery/rookery", ""]) {
    assert.equal(programName(file), "rookery", file);
  }
});

const texts: Readonly<Record<string, string>> = {
  'end it by "rookery local down" first': 'end it by "kubectl rookery local down" first',
  "rookery move --dry-run": "kubectl rookery move --dry-run",
  "see rookery --help": "see kubectl rookery --help",
  "kubectl rookery move": "kubectl rookery move",
  "the image of rookery, and a rookery of birds": "the image of rookery, and a rookery of birds",
  "/usr/bin/rookery move": "/usr/bin/rookery move",
};
for (const [text, expected] of Object.entries(texts)) {
  it(`says "${expected}" where kubectl has started it`, () => {
    assert.equal(asCalled(text, "kubectl rookery"), expected);
    assert.equal(asCalled(text, "rookery"), text);
  });
}
