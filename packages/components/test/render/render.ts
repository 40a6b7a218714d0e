import assert from "node:assert/strict";
import type { Component } from "../../src/documents/documents.ts";
import type { Problem } from "../../src/errors.ts";
import { RenderError } from "../../src/errors.ts";
import type { ProviderIdentity } from "../../src/providers/provider.ts";
import type { Container, Workload } from "../../src/render/component-shapes.ts";
import { type RenderInput, type Rendering, renderComponents } from "../../src/render/render.ts";
import { providerComponents } from "./components.ts";

const core: ProviderIdentity = { kind: "CoreProvider", name: "cluster-api" };

/** The small provider as core v1.13.6, unless told otherwise. */
export function render(input: Partial<RenderInput> = {}): Rendering {
  const components = providerComponents();
  return renderComponents({ provider: core, version: "v1.13.6", components, ...input });
}

/** What keeps it from being rendered. */
export function problemsOf(input: Partial<RenderInput>): readonly Problem[] {
  try {
    render(input);
  } catch (error) {
    if (error instanceof RenderError) return error.problems;
    throw error;
  }
  return [];
}

export function find(rendering: Rendering, kind: string): Component {
  const found = rendering.components.find((component) => component.kind === kind);
  assert.ok(found, `there is no ${kind}`);
  return found;
}

/** The container of its manager. */
export function managerOf(rendering: Rendering): Container {
  const deployment = find(rendering, "Deployment") as Workload;
  const [manager] = deployment.spec.template.spec.containers ?? [];
  return manager ?? {};
}

export const argsOf = (input: Partial<RenderInput>) => managerOf(render(input)).args ?? [];
