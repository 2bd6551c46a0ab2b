import { expect, spyOn, test } from "bun:test";
import { Progress } from "./progress.ts";

test("the time that is left includes that of the indexes", async () => {
  using now = spyOn(performance, "now").mockReturnValue(0);
  using print = spyOn(console, "error").mockImplementation(() => {});
  const progress = new Progress(1000);
  now.mockReturnValue(40_000);
  progress.update(500, 50_000);
  now.mockReturnValue(90_000);
  progress.update(1000, 100_000);
  await progress.showCommit(100_000, true);
  expect(print.mock.calls.map(([line]) => line)).toEqual([
    "45%, 50,000 products, 1,250/s, about 0:49 left",
    "90%, 100,000 products, 1,111/s, about 0:10 left",
    "100,000 products read; completing the catalog, with its indexes, about 0:10 left…",
  ]);
});
