import { test } from "bun:test";

/** Returns `test` for tests that each get something new, which is disposed at their end. */
export function testsWith<Created extends Disposable | AsyncDisposable>(
  create: () => Created | Promise<Created>,
) {
  return (title: string, run: (created: Created) => unknown): void =>
    test(title, async () => {
      await using created = await create();
      await run(created);
    });
}
