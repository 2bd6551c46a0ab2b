import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limitMemory, memoryHierarchy } from "./memory-limit.ts";

const folder = mkdtempSync(join(tmpdir(), "memory-limit-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a folder with the files that a mounted hierarchy has. */
function mounted(name: string, files: Readonly<Record<string, string>>): string {
  const mount = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(mount, path, ".."), { recursive: true });
    writeFileSync(join(mount, path), content);
  }
  return mount;
}

describe("memoryHierarchy", () => {
  test("finds version 1 in a folder of its own", () => {
    const mount = mounted("v1", { "memory/memory.limit_in_bytes": "9223372036854771712" });
    expect(memoryHierarchy(mount)).toEqual({ version: 1, folder: join(mount, "memory") });
  });

  test("finds version 2 by its list of controllers", () => {
    const mount = mounted("v2", { "cgroup.controllers": "cpuset cpu io memory pids\n" });
    expect(memoryHierarchy(mount)).toEqual({ version: 2, folder: mount });
  });

  test("throws for a hierarchy without the memory controller", () => {
    const mount = mounted("hugetlb", { "cgroup.controllers": "hugetlb\n" });
    expect(() => memoryHierarchy(mount)).toThrow("no memory controller");
  });
});

describe("limitMemory", () => {
  test.each([
    [1, "memory.limit_in_bytes"],
    [2, "memory.max"],
  ] as const)("sets the limit of version %d in %s", (version, file) => {
    const mount = mounted(`limit-${version}`, { "cgroup.subtree_control": "" });
    const limit = limitMemory("group", 200_000_000, { version, folder: mount });
    expect(readFileSync(join(mount, "group", file), "utf8")).toBe("200000000");
    expect(limit.inside(["nginx", "-q"]).slice(-2)).toEqual(["nginx", "-q"]);
  });

  test("throws with the reason when the system refuses", () => {
    expect(existsSync(join(folder, "missing"))).toBe(false);
    const hierarchy = { version: 2, folder: join(folder, "missing") } as const;
    expect(() => limitMemory("group", 1, hierarchy)).toThrow("needs root: ENOENT");
  });
});
