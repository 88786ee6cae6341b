import type { DeadLetter } from '../protocol/checkpoint.ts'

const MAX_LETTERS = 500
const MAX_CHARS = 1024 * 1024

/** Dead letters in their order, in pieces that are small but for a single large record. */
export function inPieces(letters: readonly DeadLetter[]): DeadLetter[][] {
  const pieces: DeadLetter[][] = []
  let chars = 0
  for (const letter of letters) {
    const more = letter.record.length + letter.reason.length
    const piece = pieces.at(-1)
    if (piece === undefined || piece.length === MAX_LETTERS || chars + more > MAX_CHARS) {
      pieces.push([letter])
      chars = more
    } else {
      piece.push(letter)
      chars += more
    }
  }
  return pieces
}
