/** A value that components follow. */
import { useEffect, useState } from "preact/hooks";

export class Observable<T> {
  readonly #listeners = new Set<() => void>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Renders the component again whenever the value changes. */
export function useObservable<T>(observable: Observable<T>): T {
  const [, rerender] = useState({});
  const { value } = observable;
  useEffect(() => {
    // The value may have changed between rendering and this effect.
    if (!Object.is(observable.value, value)) rerender({});
    return observable.subscribe(() => rerender({}));
  }, [observable]);
  return value;
}
