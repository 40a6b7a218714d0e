import { growing, pieces, testGrowth } from "@rookery/testing";
import { parseXml, xmlProblem } from "./xml-reader.ts";

const xml = (build: (size: number) => string) => growing({ build, run: parseXml });
const bounds = (build: (size: number) => string) => growing({ build, run: xmlProblem });

testGrowth({
  "XML of many elements": xml((n) => `<a>${pieces(n, (i) => `<b${i}>1</b${i}>`)}</a>`),
  "XML of many equal elements": xml((n) => `<a>${"<b>1</b>".repeat(n)}</a>`),
  "XML of deep elements": xml((n) => "<a>".repeat(n) + "</a>".repeat(n)),
  "XML of elements that do not end": xml((n) => "<a>".repeat(n)),
  "XML of many attributes": xml((n) => `<a ${pieces(n, (i) => `k${i}="1" `)}/>`),
  "XML of many entities": xml((n) => `<a>${"&amp;&#65;".repeat(4 * n)}</a>`),
  "XML of many bad entities": xml((n) => `<a>${"&x".repeat(8 * n)}</a>`),
  "XML of many comments": xml((n) => `<a>${"<!-- x -->".repeat(n)}</a>`),
  "XML of open comments": xml((n) => `<a>${"<!-- ".repeat(n)}</a>`),
  "XML of open sections": xml((n) => `<a>${"<![CDATA[".repeat(n)}</a>`),
  "XML of much space": xml((n) => `<a${" ".repeat(32 * n)}>${" ".repeat(32 * n)}</a>`),
  "XML of siblings of different names": xml((n) => `<a>${pieces(n, (i) => `<b${i}/>`)}</a>`),
  "XML of many numbered characters": xml((n) => `<a>${"&#65;".repeat(4 * n)}</a>`),
  "XML of ampersands that begin nothing": xml((n) => `<a>${"&".repeat(20 * n)}</a>`),
  "XML of many elements with attributes": xml(
    (n) => `<a>${'<b c="d" e="f" g="h"/>'.repeat(n)}</a>`,
  ),
  "XML of unfinished data": xml((n) => `<a>${"]]".repeat(10 * n)}</a>`),
  "XML of a long text": xml((n) => `<a>${"x".repeat(64 * n)}</a>`),
  "bounds of many elements": bounds((n) => `<a>${"<b>1</b>".repeat(8 * n)}</a>`),
  "bounds of signs": bounds((n) => "<".repeat(32 * n)),
  "bounds of instructions that do not end": bounds((n) => "<?a ".repeat(8 * n)),
  "bounds of comments": bounds((n) => "<!-- < -->".repeat(8 * n)),
  "bounds of sections": bounds((n) => "<![CDATA[ < ]]>".repeat(8 * n)),
  "bounds of tags in tags": bounds((n) => `${"<a <".repeat(8 * n)}>`),
  "bounds of ends": bounds((n) => "</a>".repeat(8 * n)),
});
