/** What a reader makes of an XML document, in a form in which two readers can be compared. */

export interface Reading {
  /** Start tags with their positions, namespaces and attributes; texts, each as one; end tags; the DOCTYPE. */
  readonly events: readonly string[];
  /** Why and where the document is rejected. Undefined when it is well-formed. */
  readonly error: ReadingError | undefined;
}

interface ReadingError {
  readonly reason: string;
  readonly line: number;
  readonly column: number;
}

export interface ReadAttribute {
  readonly name: string;
  readonly local: string;
  readonly uri: string;
  readonly value: string;
}

/** Collects events. Texts that follow each other are joined. */
export class EventList {
  readonly events: string[] = [];
  private pendingText = "";

  start(
    name: string,
    local: string,
    uri: string,
    line: number,
    column: number,
    attributes: readonly ReadAttribute[],
  ): void {
    this.flush();
    const list = attributes.map((attribute) => [
      attribute.name,
      attribute.local,
      attribute.uri,
      attribute.value,
    ]);
    this.events.push(`${line}:${column} <${name}> ${JSON.stringify([local, uri, ...list])}`);
  }

  end(name: string): void {
    this.flush();
    this.events.push(`</${name}>`);
  }

  text(text: string): void {
    this.pendingText += text;
  }

  doctype(text: string): void {
    this.events.push(`<!DOCTYPE${text}>`);
  }

  /** Ends the current text. A text in front of an error is dropped: readers differ in how much of it they report. */
  private flush(): void {
    if (this.pendingText !== "") this.events.push(JSON.stringify(this.pendingText));
    this.pendingText = "";
  }
}
