import { sqlName, sqlText } from './relation.ts'
import type { DataColumn } from './sql-process/messages.ts'

/** What is shown in place of a text that may not be seen. */
export const MASK_TEXT = '********'

/** The columns of a relation whose values may not be seen, in any spelling of upper and lower case and of letters with accents. */
export type Mask = 'all' | readonly string[]

/** The name of a column as labels know it: `ö` is the same letter whether Unicode writes it as one sign or as two. */
export const columnKey = (name: string): string =>
  NOT_PLAIN.test(name) ? name.normalize('NFC').toLowerCase().normalize('NFC') : name.toLowerCase()

const NOT_PLAIN = /[^ -~]/

/** What comes after the name of a column where a file has several of that name. */
const AGAIN = /(?:_\d+)+$/

/**
 * Whether a mask is over a column. One over a member of a nested value is over the whole value, and one over `mail` is over `mail_1`
 * too, which is what a second column of that name is called.
 */
export function isMasked(mask: Mask, column: string): boolean {
  if (mask === 'all') return true
  const name = columnKey(column)
  const first = name.replace(AGAIN, '')
  return mask.some((masked) => {
    const one = columnKey(masked)
    return one === name || one === first || one.startsWith(`${name}.`)
  })
}

/** One mask that is over all that any of them is over. */
export function joinMasks(masks: readonly (Mask | undefined)[]): Mask | undefined {
  const names = new Set<string>()
  for (const mask of masks) {
    if (mask === 'all') return 'all'
    for (const name of mask ?? []) names.add(name)
  }
  return names.size === 0 ? undefined : [...names]
}

/**
 * A SELECT with masks in place of values. Types stay, so that SQL that fits the data fits their mask: texts are the mask, all
 * else is null. An ENUM is a text there, for its type lists its values.
 */
export function maskedSelect(select: string, columns: readonly DataColumn[], mask: Mask): string {
  const list = columns.map(({ name, type }) => {
    return isMasked(mask, name) ? `${maskOf(type)} AS ${sqlName(name)}` : sqlName(name)
  })
  return `SELECT ${list.join(', ')} FROM (${select})`
}

/** The same for all columns of the rows that a condition is true of. */
export function maskedWhere(select: string, columns: readonly DataColumn[], condition: string): string {
  const list = columns.map(({ name, type }) => {
    const column = sqlName(name)
    return `CASE WHEN ${condition} THEN ${maskOf(type)} ELSE ${column} END AS ${column}`
  })
  return `SELECT ${list.join(', ')} FROM (${select})`
}

const maskOf = (type: string): string =>
  type === 'VARCHAR' || type.startsWith('ENUM') ? sqlText(MASK_TEXT) : `CAST(NULL AS ${type})`
