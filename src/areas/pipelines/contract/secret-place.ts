import type { Place } from '../../../engines/places/index.ts'

/**
 * Where a secret of a node goes: the fields of the configuration that say so, by dotted path, each with how its values are
 * spelt so that the same place has the same text. `nowhere`: it never leaves the process.
 */
export type GoesTo<C> = 'nowhere' | Readonly<Record<string, (config: C) => string | readonly string[]>>

export function placeOf<C>(goesTo: GoesTo<C>, config: C): Place {
  if (goesTo === 'nowhere') return {}
  return Object.fromEntries(Object.entries(goesTo).map(([field, spell]) => [field, textsOf(() => spell(config))]))
}

/** A configuration that is none says nothing, which is like no place. */
function textsOf(spell: () => string | readonly string[]): readonly string[] {
  try {
    return [spell()].flat()
  } catch {
    return []
  }
}
