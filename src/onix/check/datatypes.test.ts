import { describe, expect, test } from "bun:test";
import { DATATYPES, type DatatypeName } from "./datatypes.ts";

const cases: Readonly<Record<DatatypeName, { valid: readonly string[]; invalid: readonly string[] }>> = {
  PositiveDecimal: {
    valid: ["9.90", "10", "0.01", ".5", "5.", "+3", " 9.90\n"],
    invalid: ["9,90", "0", "0.00", "-1", "", " ", "1e3", "9.9.0", "€9.90", "1 000", ".", "9.90 EUR"],
  },
  PositiveDecimalOrZero: { valid: ["0", "0.0", "-0", "12.5"], invalid: ["-0.1", "1,5", ""] },
  PercentDecimal: { valid: ["0", "21", "5.5", "100", "100.00"], invalid: ["100.01", "21%", "-1", ""] },
  PositiveInteger: { valid: ["1", "007", "+12", " 3 "], invalid: ["0", "-1", "1.0", "1.", "", "x"] },
  PositiveIntegerOrZero: { valid: ["0", "12", "-0"], invalid: ["-1", "1.5", "", "12 pages"] },
  Integer: { valid: ["-5", "0", "2147483647"], invalid: ["2147483648", "-2147483649", "1.0", ""] },
  Year: { valid: ["1000", "1999", "2099"], invalid: ["0999", "2100", "99", "20200", " 2020", "MMXX", ""] },
  YearOrYearRange: {
    valid: ["2020", "2019-2020"],
    invalid: ["2019/2020", "2019-20", "2019-", "2100", "2019-2100"],
  },
  DateOrDateTime: {
    valid: ["20240229", "19991231", "20240101T2359", "20240101T235959Z", "20240101T0000+0130"],
    invalid: ["20230229", "2024-01-01", "20241301", "20240101T2400", "20240101 1200", "18991231", "2024", ""],
  },
  EmailString: {
    valid: ["a@example.com", "a.b+c@ex-ample.co.uk"],
    invalid: ["a@b", "a@b.", "@b.c", "a b@c.de", "A <a@b.de>", ""],
  },
  RomanNumeralString: { valid: ["XVI", "xvi"], invalid: ["xVI", "16", "", "ABC"] },
  TimeOrDuration: { valid: ["0013000", "001300050"], invalid: ["01:30", "0019000", "13000", ""] },
  MultiLevelNumber: { valid: ["3", "3.12.8"], invalid: ["3.", ".3", "3.-.8", "3,1", ""] },
  MultiLevelNumberOrHyphen: { valid: ["3.-.8", "-", "1"], invalid: ["3--8", "a", ""] },
  NonEmptyString: { valid: ["a", " a ", "a\tb"], invalid: ["", "  ", "\t", "a\nb", "\na", "a\r"] },
  NonEmptyURI: { valid: ["https://example.com/a", " a\n"], invalid: ["", " ", "http://a b", "http://a\n/b"] },
  code: { valid: ["15", "BC"], invalid: ["", " 15", "15\n", "B C"] },
  CountryCodeList: { valid: ["ES", "ES FR\nDE"], invalid: ["", " \n "] },
  RegionCodeList: { valid: ["WORLD", " ROW "], invalid: [""] },
};

describe.each(Object.entries(cases))("%s", (name, { valid, invalid }) => {
  const isValid = (text: string) => {
    // The value stands inside a larger buffer, as in a feed.
    const input = Buffer.from(`9${text}9`);
    return DATATYPES[name as DatatypeName].isValid(input, 1, input.length - 1);
  };

  test.each(valid.map((text) => [text]))("accepts %j", (text) => expect(isValid(text)).toBe(true));
  test.each(invalid.map((text) => [text]))("refuses %j", (text) => expect(isValid(text)).toBe(false));
});
