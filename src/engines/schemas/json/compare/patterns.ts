const MAX_TRIED_CHARS = 100

/** Whether a text is a regular expression. It is never run. */
export function isPattern(text: string): boolean {
  return compile(text) !== undefined
}

function compile(text: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(text, flags)
    } catch {
      // Many write expressions that only the older syntax allows.
    }
  }
  return undefined
}

/**
 * A pattern that names are tried on. Expressions are the users' own, so only such are run as can't go back and forth
 * much: no repeated groups, no look-around, at most two repetitions.
 */
export class NamePattern {
  readonly #expression: RegExp | undefined

  constructor(pattern: string) {
    this.#expression = isHarmless(pattern) ? compile(pattern) : undefined
  }

  /** Undefined where finding out could take for ever. */
  matches(name: string): boolean | undefined {
    return name.length > MAX_TRIED_CHARS ? undefined : this.#expression?.test(name)
  }
}

function isHarmless(pattern: string): boolean {
  if (pattern.length > MAX_TRIED_CHARS) return false
  const bare = pattern.replace(/\\[^1-9k]/g, 'x').replace(/\[\^?[^\]]*\]/g, 'x')
  if (/\)[*+?{]|\(\?[^:]|\\/.test(bare)) return false
  return countOf(bare, /[*+?{]/g) <= 2 && countOf(bare, /\(/g) <= 3
}

function countOf(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}

/**
 * As many pairs as possible of rows and columns that may be paired, none in two pairs. For each row its column, or -1.
 * Prefers the same position, so that what stands at its old place is compared with what stood there.
 */
export function matching(allowed: readonly (readonly boolean[])[], columns: number): number[] {
  const columnOf = allowed.map(() => -1)
  const rowOf = new Array<number>(columns).fill(-1)

  function place(row: number, tried: Set<number>): boolean {
    for (const column of candidates(row)) {
      if (tried.has(column)) continue
      tried.add(column)
      const other = rowOf[column] as number
      if (other !== -1 && !place(other, tried)) continue
      rowOf[column] = row
      columnOf[row] = column
      return true
    }
    return false
  }

  function candidates(row: number): number[] {
    const found: number[] = allowed[row]?.[row] ? [row] : []
    for (let column = 0; column < columns; column++) {
      if (column !== row && allowed[row]?.[column]) found.push(column)
    }
    return found
  }

  for (let row = 0; row < allowed.length; row++) {
    if (allowed[row]?.[row]) {
      rowOf[row] = row
      columnOf[row] = row
    }
  }
  for (let row = 0; row < allowed.length; row++) if (columnOf[row] === -1) place(row, new Set())
  return columnOf
}
