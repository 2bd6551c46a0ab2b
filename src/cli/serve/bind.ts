import { CommandError } from "../exit.ts";
import type { Address } from "./settings.ts";

/**
 * Calls `listen`, and turns the system's errors into a CommandError that names the options to change.
 * `optionPrefix` is "--" for the API and "--admin-" for the admin port.
 */
export function bind<T>({ host, port }: Address, listen: () => T, optionPrefix = "--"): T {
  try {
    return listen();
  } catch (error) {
    const { code, name, message } = error as Error & { code?: unknown };
    if (code === "EADDRINUSE") {
      throw new CommandError(`port ${port} of ${host} is in use: choose another with ${optionPrefix}port`);
    }
    // System errors have the name "Error"; some of them have no code. TypeErrors and the like are defects.
    if (name !== "Error") throw error;
    throw new CommandError(
      `port ${port} of ${host} is not available (${message}): name an address of this machine with ${optionPrefix}host, and a port that this user may use with ${optionPrefix}port`,
    );
  }
}
