import { expect, test } from "bun:test";
import type { ListWriter } from "../../catalog/formats/list-writer.ts";
import { FormattedStream } from "./formatted-stream.ts";

/** Writes each item after a time that the event loop is held for. */
function slowWriter(itemMs: number): ListWriter<string> {
  return {
    begin: (output) => output.write("<"),
    write(item, output) {
      const endMs = performance.now() + itemMs;
      while (performance.now() < endMs);
      output.write(item);
    },
    end: (output) => output.write(">"),
  };
}

async function chunksOf(stream: FormattedStream<string>): Promise<string[]> {
  const chunks: string[] = [];
  for (let chunk = await stream.next(); chunk !== undefined; chunk = await stream.next())
    chunks.push(Buffer.from(chunk).toString());
  return chunks;
}

const snapshot = { close() {} };
const batches = [["a", "b"], [], ["c"]];

test("converts no more than one item in a chunk when an item takes long", async () => {
  const stream = new FormattedStream({ batches, writer: slowWriter(2), snapshot });
  expect(await chunksOf(stream)).toEqual(["<a", "b", "c", ">"]);
});

test("joins the items of a batch that take no time", async () => {
  const writer: ListWriter<string> = { ...slowWriter(0), write: (item, output) => output.write(item) };
  const [first, ...others] = await chunksOf(new FormattedStream({ batches, writer, snapshot }));
  // A busy machine may take a millisecond for one item.
  expect([first?.[0], [first, ...others].join("")]).toEqual(["<", "<abc>"]);
});

test("converts no item that the client does not read", async () => {
  let written = 0;
  const writer: ListWriter<string> = { ...slowWriter(2), write: () => void written++ };
  const calls: string[] = [];
  const stream = new FormattedStream({
    batches: [["a"], ["b"], ["c"]],
    writer,
    snapshot: { close: () => void calls.push("close") },
  });
  await stream.next();
  stream.close();
  expect([written, calls]).toEqual([1, ["close"]]);
});

test("cuts the list off when its state has changed meanwhile", async () => {
  const beforeEnd = () => {
    throw new Error("changed");
  };
  const stream = new FormattedStream({ batches, writer: slowWriter(0), snapshot, beforeEnd });
  expect(chunksOf(stream)).rejects.toThrow("changed");
});
