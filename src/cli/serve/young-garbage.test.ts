import { expect, test } from "bun:test";
import { Response } from "../../server/response.ts";
import { parseRequest } from "../../server/testing/inject.ts";
import { collectingYoungGarbage } from "./young-garbage.ts";

const handled = { response: new Response(204, "", undefined), extraHeaders: "", info: undefined };
const fail = () => handled.response;
const refuse = () => ({ response: handled.response, id: "" });

function makeGarbage(): WeakRef<object>[] {
  return Array.from({ length: 100 }, (_, index) => new WeakRef({ index }));
}

/** Lets the tick end: the targets of new references live until then. */
async function nextTicks(): Promise<void> {
  for (let tick = 0; tick < 3; tick++) await new Promise((resolve) => setImmediate(resolve));
}

test("collects what requests leave behind, after many of them", async () => {
  const app = collectingYoungGarbage({ handle: () => handled, refuse, fail });
  const request = parseRequest({ method: "GET", target: "/", headers: new Headers() });
  if (!("target" in request)) throw request;
  const garbage = makeGarbage();
  await nextTicks();
  const countLeft = () => garbage.filter((reference) => reference.deref() !== undefined).length;
  for (let count = 0; count < 8192; count++) app.handle(request);
  await nextTicks();
  // The stack is scanned conservatively, and may hold some.
  expect(countLeft()).toBeLessThan(20);
});
