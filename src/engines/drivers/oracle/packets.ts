const HEADER_BYTES = 8
const ACCEPT = 2
const REDIRECT = 5

/** Reads along what a listener says until it accepts: packets of a length, a type, and what is in them. */
export class Packets {
  #header = Buffer.alloc(0)
  /** Bytes of the packet under way that are still to come. */
  #left = 0
  #hasAccepted = false

  /** Whether a packet that begins in these bytes sends the client to another server. */
  isRedirect(bytes: Buffer): boolean {
    let rest = bytes
    while (rest.length > 0 && !this.#hasAccepted) {
      const skipped = Math.min(this.#left, rest.length)
      this.#left -= skipped
      rest = rest.subarray(skipped)
      const taken = Math.min(HEADER_BYTES - this.#header.length, rest.length)
      this.#header = Buffer.concat([this.#header, rest.subarray(0, taken)])
      rest = rest.subarray(taken)
      if (this.#header.length < HEADER_BYTES) continue
      const type = this.#header[4]
      if (type === REDIRECT) return true
      this.#hasAccepted = type === ACCEPT
      this.#left = Math.max(0, this.#header.readUInt16BE(0) - HEADER_BYTES)
      this.#header = Buffer.alloc(0)
    }
    return false
  }
}
