import type { Command } from "./command.ts";

/** Each command is loaded when it is called: loading all of them would take most of the time of a short command. */
export const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  init: () => import("../init.ts"),
  serve: () => import("../serve.ts"),
  health: () => import("../health.ts"),
  import: () => import("../import.ts"),
  watch: () => import("../watch.ts"),
  check: () => import("../check.ts"),
  export: () => import("../export.ts"),
  stats: () => import("../stats.ts"),
  history: () => import("../history.ts"),
  subjects: () => import("../subjects.ts"),
  verify: () => import("../verify.ts"),
  backup: () => import("../backup.ts"),
  compact: () => import("../compact.ts"),
  migrate: () => import("../migrate.ts"),
  token: () => import("../token.ts"),
};

/** Returns undefined when there is no command of this name. */
export async function loadCommand(name: string | undefined): Promise<Command | undefined> {
  if (name === undefined || !Object.hasOwn(commands, name)) return undefined;
  return (await commands[name]!()).command;
}
