/** Short messages at the edge of the page, which screen readers announce. */
import { Observable, useObservable } from "../core/observable.ts";

const SHOWN_MS = 5000;
const message = new Observable("");
let timer: ReturnType<typeof setTimeout> | undefined;

export function toast(text: string): void {
  clearTimeout(timer);
  message.set(text);
  timer = setTimeout(() => message.set(""), SHOWN_MS);
}

export function Toasts() {
  const text = useObservable(message);
  return (
    <div class="toasts" role="status">
      {text && <p class="toast">{text}</p>}
    </div>
  );
}
