/**
 * Many connections at once, pipelined requests in pieces, slow and vanishing readers: each response must be the one to
 * its own request, byte for byte.
 */
import { connect, type Socket } from "node:net";
import { examplePaths } from "../../src/api/testing/example-paths.ts";
import { randomBelow } from "../../src/lib/testing/random.ts";
import { fetchAs, type ServeProcess } from "../process.ts";
import { parseResponses, type RawResponse } from "./raw-http.ts";

interface MixingTarget {
  readonly port: number;
  readonly token: string;
  /** Paths whose responses do not change meanwhile. */
  readonly paths: readonly string[];
}

interface ReferenceRequest {
  readonly text: string;
  readonly method: string;
  /** The response when it is requested alone. */
  readonly expected: string;
}

const CODINGS = ["identity", "gzip", "br", "zstd"];

/** Returns a generator of numbers from 0 to 1. */
function randomNumbers(seed: number): () => number {
  const random = randomBelow(seed);
  return () => random(2 ** 32) / 2 ** 32;
}

/** Compares responses in many connections with references. Returns the number of responses. Throws when one differs. */
export async function compareMixed(
  target: MixingTarget,
  seed: number,
  connections: number,
  requestsPerConnection: number,
): Promise<number> {
  const references = await readReferences(target);
  const counts = await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      runConnection(target.port, references, randomNumbers(seed * 1000 + index), requestsPerConnection),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function readReferences({ port, token, paths }: MixingTarget): Promise<readonly ReferenceRequest[]> {
  const references: ReferenceRequest[] = [];
  for (const path of paths) {
    for (const coding of CODINGS) {
      for (const method of ["GET", "HEAD"]) {
        const authorization = path.includes("unauthorized") ? "" : `Authorization: Bearer ${token}\r\n`;
        const text = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${coding}\r\n${authorization}\r\n`;
        const [response] = await sendWhole(port, text, [method]);
        references.push({ text, method, expected: serialize(response!) });
      }
    }
  }
  return references;
}

/** Sends requests in a pipeline, cut anywhere, and reads with pauses. Some connections end before the responses. */
async function runConnection(
  port: number,
  references: readonly ReferenceRequest[],
  random: () => number,
  count: number,
): Promise<number> {
  const requests = Array.from({ length: count }, () => references[Math.floor(random() * references.length)]!);
  const bytes = Buffer.from(requests.map(({ text }) => text).join(""), "latin1");
  const isAbandoned = random() < 0.2;
  const readsSlowly = random() < 0.3;
  const socket = connect(port, "127.0.0.1");
  const received = receive(socket, readsSlowly, random);
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, start + 1 + Math.floor(random() ** 3 * 2000));
    socket.write(bytes.subarray(start, end));
    start = end;
    if (random() < 0.2) await Bun.sleep(0);
    if (isAbandoned && random() < 0.02) break;
  }
  if (isAbandoned) {
    socket.destroy();
    await received.closed;
    return 0;
  }
  const methods = requests.map(({ method }) => method);
  const responses = await received.responses(methods);
  requests.forEach((request, index) => {
    const found = serialize(responses[index]!);
    if (found !== request.expected) {
      throw new Error(`a mixed response to ${request.text.split("\r\n")[0]}: ${found.slice(0, 300)}`);
    }
  });
  socket.destroy();
  return responses.length;
}

function receive(socket: Socket, readsSlowly: boolean, random: () => number) {
  const parts: Buffer[] = [];
  let onPart = () => {};
  let isClosed = false;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on("error", () => {});
  socket.on("data", (part) => {
    parts.push(part as Buffer);
    if (readsSlowly && random() < 0.3) {
      socket.pause();
      setTimeout(() => socket.resume(), random() * 30);
    }
    onPart();
  });
  socket.on("close", () => {
    isClosed = true;
    resolve();
    onPart();
  });
  return {
    closed,
    async responses(methods: readonly string[]): Promise<readonly RawResponse[]> {
      for (;;) {
        const { responses } = parseResponses(Buffer.concat(parts), methods);
        if (responses.length >= methods.length) return responses;
        if (isClosed) throw new Error(`${responses.length} of ${methods.length} responses`);
        await new Promise<void>((wake) => {
          onPart = wake;
        });
      }
    },
  };
}

async function sendWhole(port: number, text: string, methods: readonly string[]) {
  const socket = connect(port, "127.0.0.1");
  const received = receive(socket, false, () => 1);
  socket.write(text);
  const responses = await received.responses(methods);
  socket.destroy();
  return responses;
}

/** Leaves out what differs from response to response: the date, and the framing of a body that was cached meanwhile. */
function serialize({ status, headers, body }: RawResponse): string {
  const fields = [...headers]
    .filter(([name]) => !["date", "content-length", "transfer-encoding", "x-request-id"].includes(name))
    .map(([name, value]) => `${name}: ${value}`);
  const digest = new Bun.CryptoHasher("sha256").update(body).digest("hex");
  return [status, ...fields.sort(), body.length, digest].join("\n");
}

/** Returns paths of every endpoint and of errors, for a server with the sample catalog. */
export async function mixingPaths(server: ServeProcess): Promise<readonly string[]> {
  const isbns = (await (await fetchAs(server.token, `${server.url}/api/skus`)).json()) as string[];
  const some = isbns.slice(0, 12);
  return [
    ...some.map((isbn) => `/api/isbn/${isbn}`),
    `/api/isbns/${some.join(",")}`,
    `/api/isbns/${isbns.slice(0, 100).join(",")}`,
    ...examplePaths(),
    "/api/imprint/ancla-azul",
    "/api/news?date=20200101",
    "/api/search?q=la",
    "/api/search?language=spa&sort=title&limit=5&view=record",
    "/api/facets?q=la",
    "/api/suggest?q=la",
    "/api/search?lacks=cover",
    "/api/changes?view=record&limit=20",
    "/api/isbn/9788400000004",
    "/api/isbn/x",
    "/api/skus?unauthorized",
    "/nothing",
  ];
}
