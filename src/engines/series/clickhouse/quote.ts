/**
 * A text as SQL. Values are written into statements because Debian's ClickHouse has no parameters. All but plain
 * characters go as bytes in hexadecimal, so that no rule of escaping, of any version, can be met halfway.
 */
export function quote(text: string): string {
  return `'${text.replace(NOT_PLAIN, escaped)}'`
}

export function quoteAll(texts: readonly string[]): string {
  return texts.map(quote).join(',')
}

const NOT_PLAIN = /[^A-Za-z0-9 _.,:;=+*/()[\]{}<>@#$%&!?|~^-]/gu

function escaped(character: string): string {
  let bytes = ''
  for (const byte of Buffer.from(character)) bytes += `\\x${byte.toString(16).padStart(2, '0')}`
  return bytes
}
