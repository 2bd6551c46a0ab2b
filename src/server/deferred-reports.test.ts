import { expect, test } from "bun:test";
import type { Sent } from "./connection.ts";
import { deferReports } from "./deferred-reports.ts";
import type { Request } from "./request.ts";

function report(target: string, status: number): [Request, string, Sent] {
  const sent = { status, bodyBytes: 0, complete: true, seconds: 0, firstByteSeconds: 0 };
  return [{ target } as Request, `info of ${target}`, sent];
}

test("reports nothing before the caller has returned, and then everything in order", async () => {
  const reported: unknown[] = [];
  const onSent = deferReports<string>((request, info, sent) =>
    reported.push([request.target, info, sent.status]),
  );
  onSent(...report("/a", 200));
  onSent(...report("/b", 404));
  expect(reported).toEqual([]);
  await Promise.resolve();
  expect(reported).toEqual([
    ["/a", "info of /a", 200],
    ["/b", "info of /b", 404],
  ]);
});

test("delivers a report that another report causes", async () => {
  const reported: string[] = [];
  const onSent = deferReports<string>(({ target }) => {
    reported.push(target);
    if (target === "/a") onSent(...report("/b", 200));
  });
  onSent(...report("/a", 200));
  await Promise.resolve();
  await Promise.resolve();
  expect(reported).toEqual(["/a", "/b"]);
});
