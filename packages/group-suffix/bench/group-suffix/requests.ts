import { createGroupMapping, defaultSuffix, renameGroups } from "@rookery/group-suffix";
import { Context, collectBody, compose, type Handler, type HttpRequest } from "@rookery/http";
import type { Side, Work } from "@rookery/testing";
import { mapping, nest } from "./lists.ts";
import { rate } from "./rate.ts";

const requests = 1000;
const answer = Buffer.from(JSON.stringify(nest("nests.team1.example.com", 1)));

const server: Handler = () => ({
  status: 200,
  headers: { "content-type": "application/json", "content-length": String(answer.length) },
  body: answer,
});

const request: HttpRequest = {
  method: "GET",
  path: "/apis/nests.pinniped.dev/v1/namespaces/team-1/nests/worker-1",
  query: "",
  headers: { accept: "application/json" },
  signal: new AbortController().signal,
  context: Context.empty,
};

/** Requests through the chain of a client, without a network. */
export function requestWorks(): Work[] {
  const same = { virtual: defaultSuffix, real: defaultSuffix };
  const unmapped = renameGroups({ mapping: createGroupMapping([same]) });
  const mapped = renameGroups({ mapping });
  const bare = asking("without the feature", server);
  return [
    {
      work: "requests with the default suffix",
      unit: "req/s",
      better: "more",
      goal: 0.9,
      ours: asking("ours", compose(server, ...(unmapped ? [unmapped] : []))),
      peers: [bare],
    },
    {
      work: "requests with a suffix, answers of 3 kB",
      unit: "req/s",
      better: "more",
      ours: asking("ours", compose(server, ...(mapped ? [mapped] : []))),
      peers: [bare],
    },
  ];
}

function asking(name: string, handler: Handler): Side {
  const ask = async () => {
    for (let i = 0; i < requests; i++) {
      const { body } = await handler(request);
      await collectBody(body, { limit: 2 ** 20 });
    }
  };
  return rate(name, ask, requests);
}
