import { expect, test } from "bun:test";
import fc from "fast-check";
import { DATATYPES } from "../check/datatypes.ts";
import { readAmount } from "./amount.ts";

test.each([
  ["12.95", "12.95"],
  ["12", "12"],
  ["0.00", "0.00"],
  ["1,99", "1.99"],
  ["10,5", "10.5"],
  ["+7", "7"],
  [".5", "0.5"],
  ["5.", "5"],
  ["99999999999999999999.99", "99999999999999999999.99"],
])("readAmount reads %s as %s", (text, amount) => expect(readAmount(text)).toBe(amount));

test.each([
  ...["", ".", "+", "ten euro", "12.95 €", "1.234,50", "1,234", "1,234.50", "1,2,3", ",50", "12,"],
  ...["-5", "1e3", "0x1F", "12.95.1", "1 99", "NaN", "١٢"],
])("readAmount reads nothing of %p", (text) => expect(readAmount(text)).toBeNull());

test("an amount without a comma is read exactly when the datatype of ONIX accepts it, with its value", () => {
  const part = fc.constantFrom("0", "7", "12", ".", "+", "-", "e", " ", "");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const text = parts.join("").trim();
      const bytes = Buffer.from(text);
      const amount = readAmount(text);
      expect([text, Number(amount) > 0]).toEqual([
        text,
        DATATYPES.PositiveDecimal.isValid(bytes, 0, bytes.length),
      ]);
      if (amount !== null) {
        expect(amount).toMatch(/^[0-9]+(\.[0-9]+)?$/);
        expect(Number(amount)).toBe(Number(text));
      }
    }),
    { numRuns: 2000 },
  );
});
