/** The exit codes, and the errors that lead to them. The codes are part of the contract (docs/contract.md §11). */
export const EXIT = { ok: 0, failed: 1, usage: 2, someRejected: 3, outcomeUnknown: 4 } as const;

/** Wrong usage. `main` prints the message and the usage of the command, and exits with 2. */
export class UsageError extends Error {}

/** An error that the operator can fix. `main` prints the message without a stack trace, and exits with 1. */
export class CommandError extends Error {}
