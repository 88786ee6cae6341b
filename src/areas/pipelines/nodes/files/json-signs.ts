const FRONT_CHARS = 16

/**
 * Looks through JSON for what DuckDB takes and JSON does not know: numbers that are none or infinite, and commas before the end.
 * It is only a suspicion, since the same may stand in a text.
 */
export class JsonSigns {
  #front = ''
  #endsInComma = false
  isSuspect = false

  add(chunk: Buffer): void {
    if (this.isSuspect) return
    const text = chunk.toString('latin1')
    const [first] = /[^ \t\r\n]/.exec(text) ?? []
    this.isSuspect =
      (this.#endsInComma && (first === '}' || first === ']')) ||
      COMMA_AT_END.test(text) ||
      NO_NUMBER.test(this.#front + text.slice(0, FRONT_CHARS)) ||
      NO_NUMBER.test(text)
    this.#front = text.slice(-FRONT_CHARS)
    if (first !== undefined) this.#endsInComma = endsInComma(text)
  }
}

const COMMA_AT_END = /,[ \t\r\n]*[\]}]/
const NO_NUMBER = /[:,[\s-](?:nan|inf(?:inity)?)[,}\]\s]/i

/** The same for a line, in SQL. */
export const SUSPECT_LINE = "'(?i)[:,\\[\\s-](?:nan|inf(?:inity)?)[,}\\]\\s]|,\\s*[\\]}]'"

function endsInComma(text: string): boolean {
  let at = text.length - 1
  while (at >= 0 && ' \t\r\n'.includes(text[at] as string)) at -= 1
  return text[at] === ','
}
