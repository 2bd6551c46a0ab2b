/** Together they keep every line below MAX_LINE_BYTES of `log-writer.ts`. */
export const MAX_BYTES = {
  id: 128,
  client: 64,
  method: 32,
  path: 2048,
  textPath: 512,
  url: 256,
  reason: 256,
  sender: 256,
  feedReason: 1024,
  routes: 256,
  error: 2560,
  tokenId: 128,
  tokenName: 256,
} as const;
