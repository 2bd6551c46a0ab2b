/**
 * NoCollection and NoEdition say what is true, sent or not (as `record.ts` sees to it): they are set when their place is
 * passed and neither they nor what they deny was there.
 */
import { NO_ELEMENT, unsure } from "./cursor.ts";
import { COUNT, numberOf, placeOf } from "./tables.ts";

const DENIED = {
  NoCollection: ["Collection"],
  NoEdition: ["EditionType", "EditionNumber", "EditionVersionNumber", "EditionStatement"],
};

/** Two bits for each flag: it is there; what it denies is there. */
const bitsOf = new Uint8Array(COUNT);
const FLAGS = Object.entries(DENIED).map(([name, denied], at) => {
  const element = numberOf(name);
  const bit = 1 << (2 * at);
  bitsOf[element] = bit;
  for (const each of denied) bitsOf[numberOf(each)] = bit << 1;
  return { name, element, bit, both: bit * 3, place: placeOf(numberOf("DescriptiveDetail"), element) };
});

export class Denials {
  /** The names of the flags that were set here. */
  set: string[] = [];
  private seen = 0;

  clear(): void {
    this.set = [];
    this.seen = 0;
  }

  see(element: number): void {
    const bits = bitsOf[element]!;
    if (bits === 0) return;
    this.seen |= bits;
    for (const { both } of FLAGS) if ((this.seen & both) === both) throw unsure;
  }

  /** A flag that is to be set before what stands at this place. */
  due(place: number): number {
    for (const flag of FLAGS) {
      if (place <= flag.place || (this.seen & flag.both) !== 0) continue;
      this.seen |= flag.bit;
      this.set.push(flag.name);
      return flag.element;
    }
    return NO_ELEMENT;
  }
}
