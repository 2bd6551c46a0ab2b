/** Spellings of the paths of endpoints that one program may resolve, and another one not. */
import fc from "fast-check";

/** Returns the words of a text, with its backslashes as they are. */
export function words(text: TemplateStringsArray): string[] {
  return text.raw[0]!.trim().split(/\s+/);
}

const PATHS = ["/api/skus", "/api/imprints", "/api/isbn/9789999901116", "/api/imprint/zeta"];

/** What may stand for a slash. */
const SLASHES = [
  ...words`
  \ %2f %2F %5c %252f // /./ /%2e/ /x/../ /x/%2e%2E/ /x/..%2f /x%2f../ /x/..;/ /;/ ;/ /%20/ /%00/ /%0a/
  /%c0%af/ %c0%af %e0%80%af
`,
  "/\t/",
  "/\u00a0/",
];

const PREFIXES = words`
  /x/.. /. /.. /%2e /%2e%2e /x%2f.. /..; / /\ \ /openapi/.. /openapi.html/.. /openapi.html%2f..
  /x/%2e%2e%2f%2e%2e /%c0%ae%c0%ae /?/.. /#/.. ? # ; http://h HTTP://h:80 https://h http://h/x/..
  http://h/ http://h? http://h# http://h\ http://u@h http://h:x http:// http:/ ftp://h
`;

const SUFFIXES = words`
  / /. /.. /../.. /../../x %2f..%2f..%2f..%2fx %2f%2e%2e%2f%2e%2e%2f%2e%2e%2fx %5c..%5c..%5c..%5cx
  /..%2f..%2fx /%2e%2e/%2e%2e/x \..\..\x %252f%252e%252e%252f%252e%252e%252fx ;x=y ;/../../x ?/../../x
  #/../../x %3f/../../x %23/../../x %00 %00/../../x %20 %09 ?x #x #
`;

const API = [
  ...words`
  /%61pi /%61%70%69 /%2561pi /API /Api /a%70i /ap%69 /%u0061pi /%c1%a1pi /api%20 /api. /api%2e /api;x
`,
  "/\u00e1pi",
];

const IMPRINTS = words`
  /api/imprint/.. /api/imprint/. /api/imprint/%2e%2e /api/imprint/..%2f..%2fx
  /api/imprint/%2e%2e%2f%2e%2e%2fx /api/imprint/..%5c..%5cx /api/imprint/z%2f..%2f..%2f..%2fx
  /api/imprint/%2f..%2f..%2f..%2fx /api/imprint/.%2f..%2f..%2f..%2fx
  /api/imprint/%252e%252e%252f%252e%252e%252fx /api/imprint/%00..%2f..%2f
`;

type Change = (path: string) => string;

const CHANGES: readonly Change[] = [
  ...SLASHES.flatMap((slash): Change[] => [
    (path) => path.replace("/", slash),
    (path) => path.replace(/(?<=.)\//, () => slash),
    (path) => path.replace(/\/(?=[^/]*$)/, () => slash),
    (path) => path.replaceAll("/", slash),
  ]),
  ...PREFIXES.map(
    (prefix): Change =>
      (path) =>
        prefix + path,
  ),
  ...SUFFIXES.map(
    (suffix): Change =>
      (path) =>
        path + suffix,
  ),
  ...API.map(
    (spelling): Change =>
      (path) =>
        path.replace("/api", () => spelling),
  ),
  ...IMPRINTS.map(
    (spelling): Change =>
      (path) =>
        path.replace("/api/imprint/zeta", () => spelling),
  ),
];

/** Returns every path with one change, and `count` of those with two or three. */
export function pathSpellings(count: number, seed: number): readonly string[] {
  const one = PATHS.flatMap((path) => CHANGES.map((change) => change(path)));
  const several = fc
    .tuple(fc.constantFrom(...PATHS), fc.array(fc.constantFrom(...CHANGES), { minLength: 2, maxLength: 3 }))
    .map(([path, changes]) => changes.reduce((text, change) => change(text), path));
  return [...new Set([...one, ...fc.sample(several, { numRuns: count, seed })])];
}
