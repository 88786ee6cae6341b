/** What comes behind the name, which can't hold it, where a tag of that name has been deleted before. */
const DIVIDER = '\0'
const DIVIDER_SQL = `'\\x00'`

/**
 * What a tag is called in the tables: its name, or behind it the version of the deletion that it came after. So the points of
 * a deleted tag never mix with those of the next of its name, and keys are in the order of names.
 */
export function keyOf(name: string, deletion: bigint | undefined): string {
  return deletion === undefined ? name : `${name}${DIVIDER}${deletion}`
}

export const nameOf = (key: string): string => key.split(DIVIDER, 1)[0] as string

/** The same as SQL, of the column `tag`. */
export const NAME_SQL = `splitByChar(${DIVIDER_SQL}, tag)[1]`

/** The version of the deletion that a key came after, zero where there was none. */
export const DELETION_SQL = `toUInt64OrZero(splitByChar(${DIVIDER_SQL}, tag)[2])`

/** Of the rows of a source, those of tags that have not been deleted. `deletions` is where its deletions are selected from. */
export function aliveSql(deletions: string, isDistributed: boolean): string {
  // In a cluster each shard is handed the list, rather than asked to make it.
  const within = isDistributed ? 'GLOBAL ' : ''
  const current = `SELECT concat(tag, ${DIVIDER_SQL}, toString(max(version))) ${deletions} GROUP BY tag`
  return `tag ${within}NOT IN (SELECT tag ${deletions})
    AND (position(tag, ${DIVIDER_SQL}) = 0 OR tag ${within}IN (${current}))`
}
