import { join } from "node:path";

/** Returns a module as browsers and Node run it. */
export async function bundle(entry: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, "../..", entry)],
    target: "browser",
    format: "esm",
    minify: true,
  });
  return await outputs[0]!.text();
}
