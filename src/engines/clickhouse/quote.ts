/** All characters but these are written in hexadecimal, so that the escaping rules of no version matter. */
const NOT_PLAIN = /[^A-Za-z0-9 _.,:;=+*/()[\]{}<>@#$%&!?|~^-]/gu

/**
 * A text as an SQL literal. Values are written into statements because older servers, such as Debian's, have no
 * parameters.
 */
export function quoteText(text: string): string {
  return `'${withoutSpecial(text)}'`
}

export function quoteAll(texts: readonly string[]): string {
  return texts.map(quoteText).join(',')
}

/** A name as a quoted SQL identifier. */
export function quoteName(name: string): string {
  return `\`${withoutSpecial(name)}\``
}

function withoutSpecial(text: string): string {
  return text.replace(NOT_PLAIN, escaped)
}

function escaped(character: string): string {
  let bytes = ''
  for (const byte of Buffer.from(character)) bytes += `\\x${byte.toString(16).padStart(2, '0')}`
  return bytes
}
