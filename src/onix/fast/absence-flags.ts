/**
 * Adds NoCollection and NoEdition to DescriptiveDetail, as `record.ts` does: when their position is passed and
 * neither they nor the elements that contradict them were present.
 */
import { ABSENCE_FLAGS } from "../record.ts";
import { NO_ELEMENT, unsupported } from "./byte-scanner.ts";
import { ELEMENT_COUNT, elementNumber, placementOf } from "./scan-tables.ts";

/** Two bits per flag: the flag is present; an element that contradicts it is present. */
const bitsOf = new Uint8Array(ELEMENT_COUNT);
const FLAGS = Object.entries(ABSENCE_FLAGS).map(([name, contradicting], index) => {
  const element = elementNumber(name);
  const bit = 1 << (2 * index);
  bitsOf[element] = bit;
  for (const other of contradicting) bitsOf[elementNumber(other)] = bit << 1;
  const placement = placementOf(elementNumber("DescriptiveDetail"), element);
  return { name, element, bit, bothBits: bit * 3, placement };
});

export class AbsenceFlags {
  /** The names of the flags that were added. */
  added: string[] = [];
  private presentBits = 0;

  reset(): void {
    this.added = [];
    this.presentBits = 0;
  }

  /** A contradiction needs a remark, which only the full reader makes. */
  notePresent(element: number): void {
    const bits = bitsOf[element]!;
    if (bits === 0) return;
    this.presentBits |= bits;
    for (const { bothBits } of FLAGS) if ((this.presentBits & bothBits) === bothBits) throw unsupported;
  }

  /** Returns a flag that must be added before the element at this placement, or NO_ELEMENT. */
  nextMissing(placement: number): number {
    for (const flag of FLAGS) {
      if (placement <= flag.placement || (this.presentBits & flag.bothBits) !== 0) continue;
      this.presentBits |= flag.bit;
      this.added.push(flag.name);
      return flag.element;
    }
    return NO_ELEMENT;
  }
}
