/** Yields items until `failure` rejects, and then throws its error, also while the next item is slow to come. */
export async function* untilFailure<T>(
  items: AsyncIterable<T>,
  failure: Promise<never> | undefined,
): AsyncGenerator<T, void, undefined> {
  if (failure === undefined) return yield* items;
  const iterator = items[Symbol.asyncIterator]();
  let failed: { readonly error: unknown } | undefined;
  let rejectNext: (error: unknown) => void = () => {};
  // One handler for all items. With Promise.race, the failure would retain every item.
  failure.catch((error) => {
    failed = { error };
    rejectNext(error);
  });
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        rejectNext = reject;
        if (failed) reject(failed.error);
        else iterator.next().then(resolve, reject);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a read of standard input that has begun may take forever.
    iterator.return?.().catch(() => {});
  }
}
