import { expect, test } from "bun:test";
import { replaceSoakSection, soakSection, soakSectionOf } from "./report.ts";
import { runSoak } from "./soak.ts";

test.skipIf(process.platform !== "linux")(
  "a short soak has no wrong response, and verify finds no damage (skipped without /proc)",
  async () => {
    const { counts, damage, exitCode, samples } = await runSoak({
      seconds: 2,
      faultIntervalMs: 1500,
      isEnough: ({ lookups, lists, imports, killedWorkers }) =>
        Math.min(lookups, lists, imports, killedWorkers) > 0,
    });
    expect(counts.wrong).toEqual([]);
    expect([damage, exitCode]).toEqual([undefined, 0]);
    expect(samples.length).toBeGreaterThan(0);
    const section = soakSection({ seconds: 2, counts, samples, damage, exitCode });
    const page = replaceSoakSection("# Reliability\n", section);
    expect(soakSectionOf(page)).toBe(section);
    expect(replaceSoakSection(page, "new")).toBe("# Reliability\n\nnew\n");
  },
);
