import { accessSync, constants, statSync } from "node:fs";
import { FolderProblem, toFolderProblem } from "./folder-problem.ts";

/** @throws {FolderProblem} when there is no such folder, or it cannot be written */
export function requireFolder(path: string): void {
  try {
    if (!statSync(path).isDirectory()) {
      throw new FolderProblem(`${path} is not a folder; name the folder that the feeds are in.`);
    }
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw toFolderProblem(error, path, "read and write");
  }
}
