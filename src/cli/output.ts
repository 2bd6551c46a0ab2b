/** Standard output at the reader's pace: what is not taken is waited for, not piled up. */
export class Output {
  private parts: Uint8Array[] = [];

  write(...bytes: Uint8Array[]): void {
    this.parts.push(...bytes);
  }

  async flush(): Promise<void> {
    if (this.parts.length === 0) return;
    const bytes = Buffer.concat(this.parts);
    this.parts = [];
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  async end(): Promise<void> {
    await this.flush();
  }
}
