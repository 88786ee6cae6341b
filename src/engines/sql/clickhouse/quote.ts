import { checkColumnName, type TableName } from '../names.ts'

/** All but these go as bytes in hexadecimal, so that no rule of escaping, of any version, can be met halfway. */
const NOT_PLAIN = /[^A-Za-z0-9 _.,:;=+*/()[\]{}<>@#$%&!?|~^-]/gu

/** A text as SQL: older servers know no parameters. */
export function quoteText(text: string): string {
  return `'${text.replace(NOT_PLAIN, escaped)}'`
}

/** A name as SQL, exactly as it is. */
export function quoteName(name: string): string {
  return `\`${checkColumnName(name).replace(NOT_PLAIN, escaped)}\``
}

export function quoteTable(table: TableName): string {
  return table.map(quoteName).join('.')
}

function escaped(character: string): string {
  let bytes = ''
  for (const byte of Buffer.from(character)) bytes += `\\x${byte.toString(16).padStart(2, '0')}`
  return bytes
}
