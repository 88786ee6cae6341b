import type { SqlPosition } from '../errors.ts'

/** DuckDB's parser counts in characters, all later stages in bytes. */
export type PositionUnit = 'characters' | 'bytes'

/** Undefined where DuckDB gives no position, or one outside this text. */
export function positionIn(sql: string, offset: number, unit: PositionUnit): SqlPosition | undefined {
  const before = unit === 'bytes' ? firstBytes(sql, offset) : firstCharacters(sql, offset)
  if (before === undefined) return undefined
  const lines = before.split('\n')
  return { line: lines.length, column: [...(lines.at(-1) as string)].length + 1 }
}

function firstBytes(sql: string, count: number): string | undefined {
  const bytes = Buffer.from(sql)
  return isWithin(count, bytes.length) ? bytes.toString('utf8', 0, count) : undefined
}

function firstCharacters(sql: string, count: number): string | undefined {
  const characters = [...sql]
  return isWithin(count, characters.length) ? characters.slice(0, count).join('') : undefined
}

function isWithin(count: number, length: number): boolean {
  return Number.isInteger(count) && count >= 0 && count <= length
}
