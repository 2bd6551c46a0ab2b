import { expect, test } from "bun:test";
import { errorMessage } from "./error-message.ts";

class Silent extends Error {
  override readonly name = "Silent";
}

test.each([
  [new Error("The disk is full"), "The disk is full"],
  [Object.assign(new Error(""), { code: "ECONNRESET" }), "ECONNRESET"],
  [new Silent(), "Silent"],
  [Object.assign(new Error(), { message: undefined, name: undefined }), "an error without a message"],
  ["plain text", "plain text"],
  [undefined, "an unknown error"],
  [null, "an unknown error"],
])("errorMessage of %p is a text, never undefined", (error, text) => {
  expect(errorMessage(error)).toBe(text);
});
