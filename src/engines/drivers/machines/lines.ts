import { SourceError } from '../errors.ts'

const NEW_LINE = 10

/** The lines of a text that arrives in parts; one that is longer than `maxBytes` is refused. */
export async function* linesOf(parts: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<string> {
  let begun: Uint8Array[] = []
  let bytes = 0
  const hold = (piece: Uint8Array) => {
    bytes += piece.length
    if (bytes > maxBytes)
      throw new SourceError(
        'unavailable',
        `The server answers with a line of more than ${maxBytes} bytes; ask for less`
      )
    begun.push(piece)
  }
  const take = () => {
    const line = Buffer.concat(begun).toString('utf8')
    begun = []
    bytes = 0
    return line
  }
  for await (const part of parts) {
    let from = 0
    for (let end = part.indexOf(NEW_LINE); end !== -1; end = part.indexOf(NEW_LINE, from)) {
      hold(part.subarray(from, end))
      from = end + 1
      yield take()
    }
    hold(part.subarray(from))
  }
  if (bytes > 0) yield take()
}
