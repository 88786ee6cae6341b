import { isPattern } from '../../../data/glob.ts'

/** What is chosen of variables, by their names. */
export type Chosen = ReadonlyMap<string, readonly string[]>

const NAMES = /\$([A-Za-z][A-Za-z0-9_]*)/g

/** The names that a text has a dollar sign before. */
export const namesIn = (text: string): string[] => [...text.matchAll(NAMES)].map(([, name]) => name as string)

/** A name, or a pattern of names. */
export interface Name {
  readonly text: string
  readonly isPattern: boolean
}

/**
 * The names that a text with `$variable` in it stands for, one for each combination of values. What people have chosen is text,
 * whatever characters it has: only the text around it can be a pattern.
 */
export function namesFrom(text: string, chosen: Chosen): Name[] {
  const used = [...new Set(namesIn(text))].filter((name) => chosen.has(name))
  const around = text.replaceAll(NAMES, (whole, name: string) => (chosen.has(name) ? '' : whole))
  const asPattern = isPattern(around)
  return combinations(used, chosen).map((values) => ({
    text: text.replaceAll(NAMES, (whole, name: string) => {
      const value = values.get(name)
      if (value === undefined) return whole
      return asPattern ? value.replaceAll(/[*?[]/g, '[$&]') : value
    }),
    isPattern: asPattern
  }))
}

function combinations(names: readonly string[], chosen: Chosen): Map<string, string>[] {
  let all = [new Map<string, string>()]
  for (const name of names) {
    all = all
      .flatMap((values) => (chosen.get(name) ?? []).map((value) => new Map([...values, [name, value]])))
      .slice(0, MOST)
  }
  return all
}

/** More than any panel shows. */
const MOST = 1000
