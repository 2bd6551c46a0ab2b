/** An `X-Request-Id` that the service made: two responses to the same request differ in it. */
export const GENERATED_ID = /^[0-9a-f]{8}-[0-9]+$/;
