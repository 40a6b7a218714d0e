import { growing, testGrowth } from "@rookery/testing";
import { receivedHeaders, upgradeProtocol, withoutHopByHop } from "./headers.ts";
import { remoteText } from "./remote-text.ts";
import { splitTarget } from "./request-target.ts";

const headers = (build: (size: number) => string[]) =>
  growing({
    build,
    run: (raw) => {
      const received = receivedHeaders(raw);
      return [withoutHopByHop({ ...received, connection: raw[1] }), upgradeProtocol(received)];
    },
  });
const flat = (count: number, name: (index: number) => string, value = "a") =>
  Array.from({ length: count }, (_, i) => [name(i), value]).flat();
const target = (build: (size: number) => string) => growing({ build, run: splitTarget });

testGrowth({
  "headers of many names": headers((n) => flat(n, (i) => `k${i}`)),
  "headers of one name": headers((n) => flat(n, () => "impersonate-group")),
  "many cookies": headers((n) => flat(n, () => "cookie")),
  "many connections": headers((n) => flat(n, () => "connection")),
  "a connection of many names": headers((n) => [
    "connection",
    "a,".repeat(8 * n),
    ...flat(n, (i) => `k${i}`),
  ]),
  "a connection of much space": headers((n) => ["connection", `a${" ".repeat(32 * n)},b`]),
  "a target of a long host": target((n) => `http://${"a".repeat(32 * n)}`),
  "a target of many slashes": target((n) => `http:${"/".repeat(32 * n)}`),
  "a target of many questions": target((n) => `/${"?".repeat(32 * n)}`),
  "a long remote text": growing({
    build: (n) => "\n".repeat(64 * n),
    run: (text) => remoteText(text),
  }),
  "a remote text of halves": growing({
    build: (n) => "\ud800".repeat(8 * n),
    run: (text) => remoteText(text, text.length),
  }),
});
