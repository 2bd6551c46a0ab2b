import { expect, test } from "bun:test";
import { replaceSoakSection, soakSection, soakSectionOf } from "./report.ts";
import { runSoak } from "./soak.ts";

test.skipIf(process.platform !== "linux")(
  "a short soak has no wrong response, and verify finds no damage (skipped without /proc)",
  async () => {
    const result = await runSoak({
      seconds: 2,
      faultIntervalMs: 1500,
      isEnough: ({ lookups, lists, searches, suggestions, imports, undoneImports, killedWorkers }) =>
        Math.min(lookups, lists, searches, suggestions, imports, undoneImports, killedWorkers) > 0,
    });
    const { counts, damage, exitCode, samples } = result;
    expect(counts.wrong).toEqual([]);
    expect([damage, exitCode]).toEqual([undefined, 0]);
    expect(samples.length).toBeGreaterThan(0);
    const section = soakSection(result);
    const page = replaceSoakSection("# Reliability\n", section);
    expect(soakSectionOf(page)).toBe(section);
    expect(replaceSoakSection(page, "new")).toBe("# Reliability\n\nnew\n");
  },
);
