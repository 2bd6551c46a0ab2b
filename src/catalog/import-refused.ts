/** An import that a rule of the catalog refuses. The message names the cause and the fix; nothing has changed. */
export class ImportRefused extends Error {}
