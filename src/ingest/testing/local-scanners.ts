/** Scanners for tests: the real scanner on this thread, with replies in an order that the test chooses. */
import { ChunkEncoder, type ScanReply, type ScanRequest } from "../scan/chunk-encoder.ts";
import type { Scanners } from "../scan/scanners.ts";

export class LocalScanners implements Scanners {
  readonly hasStarted = true;
  /** The length of each chunk that was scanned, in the order of the requests. */
  readonly scannedBytes: number[] = [];
  private readonly encoder = ChunkEncoder.create({ checks: false });

  /** `delay` returns how many event-loop ticks a reply waits. */
  constructor(
    readonly concurrency = 2,
    private readonly delay: () => number = () => 0,
  ) {}

  scanHere(request: ScanRequest): Promise<ScanReply> {
    return this.scan(request);
  }

  async scan(request: ScanRequest): Promise<ScanReply> {
    this.scannedBytes.push(request.length);
    // Like a transfer to another thread, this detaches the buffer at once.
    const received = structuredClone(request, { transfer: [request.buffer.buffer] });
    for (let ticks = this.delay(); ticks > 0; ticks--) await new Promise((resolve) => setImmediate(resolve));
    return (await this.encoder).scan(received);
  }
}
