/** A store whose answers are timed: what is looked up in it, not how long a list of it is read. */
import type { Snapshot, Store } from "../catalog/store.ts";
import type { Awaitable } from "../lib/awaitable.ts";
import type { Observe } from "./event.ts";

export type Timeable = Pick<Store, "record" | "revision" | "snapshot">;

export function timed(store: Timeable, observe: Observe): Timeable {
  function time<T>(ask: () => Awaitable<T>): Awaitable<T> {
    const began = performance.now();
    const end = () => observe({ kind: "store", seconds: (performance.now() - began) / 1000 });
    let late = false;
    try {
      const answer = ask();
      late = answer instanceof Promise;
      return answer instanceof Promise ? answer.finally(end) : answer;
    } finally {
      if (!late) end();
    }
  }

  function timedView(view: Snapshot): Snapshot {
    return {
      revision: view.revision,
      hasImprint: (slug) => time(() => view.hasImprint(slug)),
      missing: (isbns) => time(() => view.missing(isbns)),
      bodies: (selection) => view.bodies(selection),
      entries: () => view.entries(),
      isbns: () => view.isbns(),
      imprints: () => view.imprints(),
      close: () => view.close(),
    };
  }

  return {
    record: (isbn) => time(() => store.record(isbn)),
    // Asked by the way, again and again, and answered from memory: it would hide what the others take.
    revision: () => store.revision(),
    snapshot() {
      const view = time(() => store.snapshot());
      return view instanceof Promise ? view.then(timedView) : timedView(view);
    },
  };
}
